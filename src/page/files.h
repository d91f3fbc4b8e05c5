/* files.h - the fixed parts of the page, as strings.
 *
 * scripts/text-to-c.sh makes them from page.html, style.css and the scripts at
 * build time.
 */
#ifndef SLV_PAGE_FILES_H
#define SLV_PAGE_FILES_H

extern const char slv_html_body[];   /* from <body> to the logs */
extern const char slv_html_style[];  /* content of <style> */
extern const char slv_html_script[]; /* content of <script> */

#endif
