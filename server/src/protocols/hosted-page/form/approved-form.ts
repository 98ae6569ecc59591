/** Merchants' forms that were reviewed and may be shown. Chapter 30 §9.4. */
export interface CustomForms {
  findApproved(merchantId: string, formId: string): Promise<ApprovedForm | null>
  /** Null if the form is not approved. */
  findFile(form: string, path: string): Promise<Buffer | null>
}

export interface ApprovedForm {
  readonly id: string
  readonly template: string
  /** Sources for the policy: hashes of inline scripts and styles. */
  readonly scripts: readonly string[]
  readonly styles: readonly string[]
}
