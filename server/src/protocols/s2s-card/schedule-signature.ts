import { cardFormulas } from '#domain/signature/signature.ts'
import type { Signed } from '../kit/action.ts'

/** Formula 4. Chapter 10 §4.2. */
export const scheduleSignature = ({ schedule_id }: { readonly schedule_id: string }): Signed => ({
  formula: cardFormulas.schedule,
  values: { schedule_id },
})
