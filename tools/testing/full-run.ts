/**
 * Whether this is `npm run test:full`, which tests every variant. `npm test` tests each kind of variant at least once: the rest repeats a
 * proof. See decisions/tests#full-runs.
 */
export const isFullRun = process.env['GATEHOUSE_FULL'] === '1'
