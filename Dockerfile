# SPDX-License-Identifier: BSD-2-Clause
#
#   docker build -t edgewise .
#   docker run --rm --privileged edgewise scenario framing
#   docker run --rm --cap-add SYS_ADMIN --cap-add NET_ADMIN -v "$PWD/out:/edgewise/out" \
#       edgewise scenario all
#
# What is built with is the first tier of packages.list; what the program runs with is what its
# libraries belong to.
FROM debian:12-slim AS build
COPY packages.list /src/
RUN apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
        $(sed -n 's/^run  *\([^ ]*\) .*/\1/p' /src/packages.list) \
    && rm -rf /var/lib/apt/lists/*
COPY . /src
RUN make -C /src -j"$(nproc)" BUILD=/build all \
    && make -C /src -j"$(nproc)" BUILD=/build DEFECTS=1 all \
    && ldd /build/edgewise | awk '$2 == "=>" { print "*/" $1 }' \
        | xargs dpkg-query --search | cut -d : -f 1 | sort -u >/build/packages

FROM debian:12-slim
COPY --from=build /build/packages /usr/local/share/edgewise.packages
RUN apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
        $(cat /usr/local/share/edgewise.packages) \
    && rm -rf /var/lib/apt/lists/*
COPY --from=build /build/edgewise /usr/local/bin/
COPY --from=build /build/defects/edgewise /usr/local/bin/defects/
COPY scenarios /usr/local/share/edgewise
WORKDIR /edgewise
ENV CI=1
ENTRYPOINT ["edgewise"]
CMD ["doctor"]
