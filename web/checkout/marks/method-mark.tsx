/** The mark of a method in the list: the operator's logo, the card networks, or a pictogram of what the payer will do. */
import type { JSX } from 'preact'
import type { MethodView } from '../page-api.ts'
import { AcceptedMarks } from './accepted-marks.tsx'

export function MethodMark({ method }: { readonly method: MethodView }): JSX.Element {
  if (method.logo) return <img class="method-logo" src={method.logo} alt="" />
  if (method.kind === 'card' && method.networks.length > 0)
    return (
      <span class="method-logo">
        <AcceptedMarks networks={method.networks} />
      </span>
    )
  return (
    <svg
      class="method-logo"
      aria-hidden="true"
      viewBox="0 0 24 24"
      width="24"
      height="24"
      fill="none"
      stroke="currentColor"
      stroke-width="1.5"
      stroke-linecap="round"
      stroke-linejoin="round"
    >
      <path d={pictograms[method.pictogram]} />
    </svg>
  )
}

const pictograms: Readonly<Record<MethodView['pictogram'], string>> = {
  card: 'M3 6h18v12H3zM3 10h18',
  // Another page, or the bank's.
  redirect: 'M4 10l8-6 8 6zM6 10v8m4-8v8m4-8v8m4-8v8M4 20h16',
  // A slip with a bar code.
  voucher: 'M4 5h16v14H4zM8 9v6m2.5-6v6m3-6v6m2.5-6v6',
  // A coin.
  crypto:
    'M12 3a9 9 0 1 1 0 18a9 9 0 1 1 0-18M12 7v10m3-7.5c-.5-1-1.5-1.5-3-1.5-4 0-4 4 0 4s4 4 0 4c-1.500 0-2.500-.5-3-1.500',
  // An account.
  direct: 'M12 4a4 4 0 1 1 0 8a4 4 0 1 1 0-8M4 20c1-4 4-5.500 8-5.500s7 1.500 8 5.500',
}
