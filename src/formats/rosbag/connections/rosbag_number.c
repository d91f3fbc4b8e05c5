/* rosbag_number.c - several connections with one number.
 *
 * Where recordings were joined, or a recorder was started again on its own file,
 * one number is declared with different topics or types.  A connection is then
 * its number and the place of its declaration: messages belong to the last
 * declaration of their number before them.  The later connection gets a number
 * that is free, in the output.
 *
 * Damage can also give one connection the number of another, in its declaration.
 * Recorders write a declaration directly before the first message of its
 * connection: where that has another number, the number of the declaration is
 * not believed.
 */
#include "formats/rosbag/connections/rosbag_conn.h"
#include "formats/rosbag/connections/rosbag_decl.h"

#define ALIKE_MAX 64 /* connections of one number; more are not told apart */

bool
rosbag_decl_differs(const struct rosbag_decl *a, const struct rosbag_decl *b)
{
	if (a->trust == ROSBAG_PROVEN && b->trust == ROSBAG_PROVEN)
		return a->topic != b->topic || a->type != b->type;
	/* One flipped bit changes neither a sum with its definition, nor two
	 * copies of a topic. */
	if (!a->fits || !b->fits)
		return false;
	return a->sum != b->sum
	    || (a->confirmed && b->confirmed && a->topic != b->topic);
}

/* Whether the connection really has that number. */
static bool
is_certain(const struct rosbag *b, const struct rosbag_conn *c)
{
	return c->used || c->n > 0 || b->decls[c->decl].trust == ROSBAG_PROVEN;
}

static bool
is_numbered_right(const struct rosbag_decl *d)
{
	return d->trust == ROSBAG_PROVEN || d->use == ROSBAG_USED;
}

enum slv_status
rosbag_conn_resolve(struct slv_scan *s, const struct rosbag_decl *d,
    uint32_t id, struct slv_err *err)
{
	struct rosbag *b = rosbag_edit(s);
	struct rosbag_conn *c = rosbag_conn_nth(b, id, 0), *other;
	size_t n = 1;

	if (c == NULL || !c->declared || c->decl == SIZE_MAX
	    || !rosbag_decl_differs(&b->decls[c->decl], d)
	    || (d->use == ROSBAG_UNUSED && d->trust != ROSBAG_PROVEN))
		return SLV_OK;
	while (n < ALIKE_MAX && (other = rosbag_conn_nth(b, id, n)) != NULL) {
		if (!rosbag_decl_differs(&b->decls[other->decl], d)) {
			rosbag_conn_prefer(b, id, n);
			return SLV_OK;
		}
		n++;
	}
	if (n == ALIKE_MAX || b->n_conns == ROSBAG_CONNS_MAX
	    || !is_certain(b, c) || !(d->in_tail || is_numbered_right(d)))
		return SLV_OK;
	return rosbag_conn_insert(s, id, d->off, err);
}
