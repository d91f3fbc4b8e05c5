/* files.h - the fixed parts of the page, as strings.
 *
 * Made of page.html, style.css and the scripts by scripts/text-to-c.sh when
 * salvor is built.
 */
#ifndef SLV_PAGE_FILES_H
#define SLV_PAGE_FILES_H

extern const char slv_html_body[];   /* from <body> on, as far as the logs */
extern const char slv_html_style[];  /* what is between <style> and </style> */
extern const char slv_html_script[]; /* what is between <script> and ... */

#endif
