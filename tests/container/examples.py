#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""The examples of a document can be read: YAML without a key twice, TOML, and the shell in them.

    tests/container/examples.py DOCUMENT [PROGRAM]

With PROGRAM, each option of "run scenario ..." and "edgewise scenario ..." is one that it knows.
"""
import re
import subprocess
import sys
import tomllib

import yaml

FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)
# What is typed, with its continued lines.
TYPED = re.compile(r"(?:run|edgewise) scenario (?:[^\n`;|]|\\\n)*")
EXPRESSION = re.compile(r"\$\{\{.*?\}\}")


class Strict(yaml.SafeLoader):
    """Refuses a key that is there twice."""

    def construct_mapping(self, node, deep=False):
        keys = [self.construct_object(key, deep=True) for key, _ in node.value]
        for key in keys:
            if keys.count(key) > 1:
                raise yaml.YAMLError(f"line {node.start_mark.line + 1}: {key!r} twice")
        return super().construct_mapping(node, deep)


def scripts(value, key=None):
    """Every text below a key whose text is for a shell."""
    if isinstance(value, dict):
        for inner, below in value.items():
            yield from scripts(below, inner)
    elif isinstance(value, list):
        for below in value:
            yield from scripts(below, key)
    elif key in ("run", "script"):
        yield str(value)


def check_shell(text):
    shell = subprocess.run(["sh", "-n"], input=EXPRESSION.sub("x", text), text=True,
                           capture_output=True, check=False)
    return shell.stderr.strip()


def check_block(kind, text):
    if kind == "toml":
        tomllib.loads(text)
    elif kind == "yaml":
        for document in yaml.load_all(text, Strict):
            if not document:
                raise yaml.YAMLError("nothing in it")
            for script in scripts(document):
                if wrong := check_shell(script):
                    raise yaml.YAMLError(wrong)


def unknown_options(text, program):
    said = subprocess.run([program, "help", "scenario"], text=True, capture_output=True, check=True)
    known = set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", said.stdout))
    for command in TYPED.findall(text):
        # One letter may have its value behind it.
        for option in re.findall(r"(?<=[\s\[])--[a-z-]+|(?<=\s)-[a-z]\b", command.split("||")[0]):
            if option not in known:
                yield f"{option} in '{command.strip()}'"


def main():
    document = sys.argv[1]
    with open(document, encoding="utf-8") as file:
        text = file.read()
    wrong = 0
    blocks = list(FENCE.finditer(text))
    for block in blocks:
        line = text.count("\n", 0, block.start()) + 1
        try:
            check_block(block[1], block[2])
        except (yaml.YAMLError, tomllib.TOMLDecodeError) as error:
            print(f"{document}:{line}: this {block[1]} cannot be read: {error}")
            wrong += 1
    for program in sys.argv[2:]:
        for option in unknown_options(text, program):
            print(f"{document}: no such option: {option}")
            wrong += 1
    print(f"{len(blocks)} examples, {wrong} wrong")
    return 1 if wrong or not blocks else 0


if __name__ == "__main__":
    sys.exit(main())
