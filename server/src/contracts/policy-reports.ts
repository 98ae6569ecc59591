/** What browsers report about violations of a page's content security policy. Chapter 80 §5. */

export interface PolicyReport {
  /** The violated rule, such as `script-src-elem`. */
  readonly rule: string
  /** What was blocked: an origin, or a word of the browser such as `inline`. */
  readonly blocked: string
  /** The page by host and first folder; the rest of its address may hold a session's token. */
  readonly page: string
  /** The script that tried it, without query; empty if the browser did not say. */
  readonly source: string
}

export interface PolicyReports {
  /** Counts the report. True if there was none like it. */
  add(report: PolicyReport): Promise<boolean>
}
