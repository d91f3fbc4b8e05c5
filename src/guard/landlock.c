/* landlock.c - the wall around files: landlock(7).
 *
 * The kernel's numbers and names are defined here, so that a header older than
 * the running kernel is enough; they are the same on every machine but Alpha.
 */
#include <errno.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "guard/walls.h"
#include "io/sys.h"

#ifdef __alpha__
#define CREATE_RULESET 554
#else
#define CREATE_RULESET 444
#endif
#define ADD_RULE      (CREATE_RULESET + 1)
#define RESTRICT_SELF (CREATE_RULESET + 2)
#define ASK_VERSION   1 /* flag of CREATE_RULESET */
#define BENEATH       1 /* kind of rule */

enum {
	EXECUTE = 1 << 0,
	WRITE_FILE = 1 << 1,
	READ_FILE = 1 << 2,
	READ_DIR = 1 << 3,
	REMOVE_DIR = 1 << 4,
	REMOVE_FILE = 1 << 5,
	MAKE_DIR = 1 << 7,
	MAKE_REG = 1 << 8,
	MAKE_SYM = 1 << 12,
	MAKE_ANY = 0x7f << 6, /* the seven kinds of files */
	REFER = 1 << 13,      /* link and rename to another directory */
	TRUNCATE = 1 << 14,
};

/* Forbidden unless a rule allows it. */
struct ruleset {
	uint64_t files, net, scopes;
};

struct beneath {
	uint64_t allowed;
	int32_t parent;
} __attribute__((packed));

/* Each version knows more; using what it does not know is an error.  What
 * version 5 has for ioctl(2) on devices is not used: only devices that the
 * command line names can be opened, and the program must find out if one is a
 * terminal. */
static const struct ability {
	int version;
	uint64_t files, net, scopes; /* bits of that version */
	size_t size;                 /* size of the struct since then */
} abilities[] = {
	{ 1,
	    EXECUTE | WRITE_FILE | READ_FILE | READ_DIR | REMOVE_DIR
	        | REMOVE_FILE | MAKE_ANY,
	    0, 0, sizeof(uint64_t) },
	{ 2, REFER, 0, 0, sizeof(uint64_t) },
	{ 3, TRUNCATE, 0, 0, sizeof(uint64_t) },
	/* bind and connect TCP */
	{ 4, 0, 0x3, 0, 2 * sizeof(uint64_t) },
	/* abstract sockets, signals */
	{ 6, 0, 0, 0x3, sizeof(struct ruleset) },
};

int
slv_landlock_version(void)
{
	long version = syscall(CREATE_RULESET, NULL, (size_t)0, ASK_VERSION);

	return version > 0 ? (int)version : 0;
}

int
slv_landlock_begin(int version)
{
	struct ruleset rules = { 0, 0, 0 };
	size_t size = 0;

	for (size_t i = 0; i < sizeof(abilities) / sizeof(*abilities); i++) {
		if (abilities[i].version > version)
			break;
		rules.files |= abilities[i].files;
		rules.net |= abilities[i].net;
		rules.scopes |= abilities[i].scopes;
		size = abilities[i].size;
	}
	return (int)syscall(CREATE_RULESET, &rules, size, 0);
}

static uint64_t
bits_of(enum slv_right right, mode_t mode)
{
	switch (right) {
	case SLV_MAY_READ: return S_ISDIR(mode) ? READ_DIR : READ_FILE;
	case SLV_MAY_LOOK:
		return S_ISDIR(mode) ? READ_DIR | READ_FILE : READ_FILE;
	case SLV_MAY_WRITE:
		if (S_ISDIR(mode))
			return READ_DIR;
		return S_ISREG(mode) ? READ_FILE : READ_FILE | WRITE_FILE;
	case SLV_MAY_MAKE:
		return S_ISDIR(mode) ? READ_FILE | WRITE_FILE | READ_DIR
		        | MAKE_REG | REMOVE_FILE | TRUNCATE
		                     : READ_FILE;
	case SLV_MAY_GROW:
		return bits_of(SLV_MAY_MAKE, mode)
		    | (S_ISDIR(mode) ? MAKE_DIR | REMOVE_DIR : 0);
	case SLV_MAY_CHANGE:
		return bits_of(SLV_MAY_MAKE, mode)
		    | (S_ISDIR(mode) ? MAKE_SYM : 0);
	}
	return READ_FILE;
}

/* A right that a wall does not forbid cannot be allowed: older versions do not
 * know truncation. */
static bool
add_rule(int wall, struct beneath *rule)
{
	if (syscall(ADD_RULE, wall, BENEATH, rule, 0) == 0)
		return true;
	if (errno != EINVAL || (rule->allowed & TRUNCATE) == 0)
		return false;
	rule->allowed &= ~(uint64_t)TRUNCATE;
	return syscall(ADD_RULE, wall, BENEATH, rule, 0) == 0;
}

bool
slv_landlock_allow(int wall, const char *path, enum slv_right right)
{
	struct beneath rule = { 0, -1 };
	struct stat st;
	bool good;

	rule.parent = slv_sys.open(AT_FDCWD, path, O_PATH | O_CLOEXEC, 0);
	/* Out of memory or descriptors: it may exist. */
	if (rule.parent < 0)
		return errno != ENOMEM && errno != EMFILE && errno != ENFILE;
	good = slv_sys.fstat(rule.parent, &st) == 0;
	if (good) {
		rule.allowed = bits_of(right, st.st_mode);
		/* EBADFD: a pipe or similar, which is outside this wall. */
		good = add_rule(wall, &rule) || errno == EBADFD;
	}
	slv_sys.close(rule.parent);
	return good;
}

bool
slv_landlock_up(int wall)
{
	return syscall(RESTRICT_SELF, wall, 0) == 0;
}

bool
slv_walls_found(void)
{
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
}
