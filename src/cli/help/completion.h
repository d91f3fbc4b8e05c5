/* completion.h - what a shell needs to complete our command line, made from
 * the tables of commands, options and findings. */
#ifndef SLV_CLI_COMPLETION_H
#define SLV_CLI_COMPLETION_H

/* The script for "bash", "zsh" or "fish", owned by the caller; NULL: out of
 * memory. */
char *slv_completion(const char *shell);

#endif
