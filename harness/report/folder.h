/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_REPORT_FOLDER_H
#define EDGEWISE_HARNESS_REPORT_FOLDER_H

/*
 * A folder that files are published in: each gets its name when it is whole, and before has none
 * where the file system allows that. They belong to the person who called sudo. Up to the folder's
 * top links are followed with that person's rights; below it none is.
 */

#include "harness/report/person.h"

#define FOLDER_PATH_MAX 3000 /* bytes of top and the part below together */
#define FOLDER_NAME_MAX 200  /* bytes of a file's name */
#define FOLDER_ERROR_BYTES 400

struct folder {
    int fd;
    const struct person *person; /* borrowed */
    char path[FOLDER_PATH_MAX + 1]; /* for messages */
    size_t top; /* length of its top */
    size_t made; /* length of the first directory of the path that was made; 0: none was */
};

struct folder_error {
    char text[FOLDER_ERROR_BYTES]; /* "out/framing: Read-only file system" */
};

/* A file that is being written: its bytes go to `fd`. */
struct folder_file {
    const struct folder *folder;
    int fd;
    bool nameless; /* it has no name yet, not even the temporary one */
    char name[FOLDER_NAME_MAX + 1];
    char temporary[FOLDER_NAME_MAX + 40];
};

/*
 * Makes `top` and, below it, `below` ("" for none) as far as they are missing, and opens the last.
 * `below` has no empty, `.` or `..` part: -EINVAL. Else 0, or -errno with `error` filled and no
 * part of `top` made; close with folder_close.
 */
int folder_open(const struct person *person, const char *top, const char *below,
                struct folder *ret_folder, struct folder_error *error);

/* Opens `path`, which must exist; links are followed with the person's rights. As folder_open. */
int folder_open_existing(const struct person *person, const char *path, struct folder *ret_folder,
                         struct folder_error *error);

/* Lets go of it; harmless when called twice. */
void folder_close(struct folder *folder);

/* Removes, as far as they are empty, all directories below its top, and those of the top that
 * folder_open made. */
void folder_unmake(const struct folder *folder);

/* 0 when files can be written here: one is, and removed again. -errno with `error` filled
 * otherwise. */
int folder_probe(const struct folder *folder, struct folder_error *error);

/* Starts file `name`; then exactly one of folder_commit and folder_abandon. 0 or -errno, `error`
 * filled. */
int folder_create(const struct folder *folder, const char *name, struct folder_file *ret_file,
                  struct folder_error *error);

/* Appends bytes to it. 0 or -errno, `error` filled. */
int folder_fill(const struct folder_file *file, const void *bytes, size_t size,
                struct folder_error *error);

/* Puts the finished file into its place, or, when that fails, removes it: 0 or -errno, `error`
 * filled. */
int folder_commit(struct folder_file *file, struct folder_error *error);
void folder_abandon(struct folder_file *file);

/* The three in one, for bytes in memory. */
int folder_write(const struct folder *folder, const char *name, const void *bytes, size_t size,
                 struct folder_error *error);

/* Removes file `name`; 0 also when there is none. */
int folder_remove(const struct folder *folder, const char *name, struct folder_error *error);

/* Whether file `name` holds exactly these bytes. */
bool folder_holds(const struct folder *folder, const char *name, const void *bytes, size_t size);

#endif
