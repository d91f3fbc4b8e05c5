/* carla_viewer.h - places and times as viewers have them.
 *
 * CARLA has centimetres, degrees and left-handed axes: x forward, y to the right, z up.
 * Viewers have metres and right-handed axes: y to the left.
 */
#ifndef SLV_FORMATS_CARLA_VIEWER_H
#define SLV_FORMATS_CARLA_VIEWER_H

#include "base/buf.h"
#include "base/bytes.h"

#define CARLA_FRAME_NAME 32 /* bytes of "actor/4294967295" */

/* The frame of reference of an actor. */
void carla_viewer_frame(uint32_t actor, char name[CARLA_FRAME_NAME]);

/* Is it a length or an angle that can mean something? */
bool carla_viewer_holds(double v);

/* Append a message of n doubles, tagged from 1 on, as a field. */
void carla_viewer_doubles(
    struct slv_buf *, uint32_t tag, const double *v, unsigned n);

/* Append a time in ns as a field of google.protobuf.Timestamp. */
void carla_viewer_time(struct slv_buf *, uint32_t tag, int64_t ns);

#endif
