/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_CLI_VERSION_H
#define EDGEWISE_HARNESS_CLI_VERSION_H

#define VERSION_TOOL "edgewise"
#define VERSION_NUMBER "0.1.0"

#endif
