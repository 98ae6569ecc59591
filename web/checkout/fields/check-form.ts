/** Validates one field, or all. */

import type { FieldView } from '../page-api.ts'
import { today } from '../state/checkout.ts'
import { complaints, method, network, session, shownFields, values } from '../state/session.ts'
import type { TextKey } from '../state/texts.ts'
import { complaintOf } from './check.ts'

export function check(field: FieldView, atPay: boolean): TextKey | null {
  return complaintOf(field, values.value[field.name] ?? '', {
    today: today(),
    currency: session.value?.order.currency ?? '',
    network: network.value,
    networks: method.value?.networks ?? [],
    atPay,
  })
}

/** The first invalid field; null if the payment can be sent. */
export function checkAll(): string | null {
  const found = shownFields.value.flatMap((field): readonly (readonly [string, TextKey])[] => {
    const complaint = check(field, true)
    return complaint === null ? [] : [[field.name, complaint]]
  })
  complaints.value = Object.fromEntries(found)
  return found[0]?.[0] ?? null
}
