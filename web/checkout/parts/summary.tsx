/** The order: what is paid and to whom. Chapter 30 §7.1. */
import type { JSX } from 'preact'
import { amountText, dayText } from '../../kit/texts-of-values.ts'
import type { ScheduleView, SessionView } from '../page-api.ts'
import { session } from '../state/session.ts'
import { type CountKey, language, leftToRight, say, sayCount } from '../state/texts.ts'
import { Description } from './description.tsx'

export function Summary(): JSX.Element | null {
  const current = session.value
  if (!current) return null
  const { order, vat_amount: vat, total, schedule, crypto_network: network } = current
  const money = (amount: string): string => amountText(amount, order.currency, language.value.tag)
  return (
    <aside class="summary" aria-labelledby="summary-title">
      <h2 id="summary-title" class="quiet">
        {say('summary')}
      </h2>
      {total !== null && Number(total) >= 0 && (
        <p class="amount">
          <bdi dir="ltr">{money(total)}</bdi>
        </p>
      )}
      <Description text={order.description} />
      <p class="order">
        {say('order')} <bdi>{order.number}</bdi>
      </p>
      <dl>
        {vat !== null && order.amount !== null && total !== null && (
          <>
            <Row name={say('amount')}>{<bdi dir="ltr">{money(order.amount)}</bdi>}</Row>
            <Row name={say('vat')}>{<bdi dir="ltr">{money(vat)}</bdi>}</Row>
            <Row name={say('total')}>{<bdi dir="ltr">{money(total)}</bdi>}</Row>
          </>
        )}
        {network !== null && <Row name={say('network')}>{network}</Row>}
        {schedule !== null && (
          <Row name={say('later')} long>
            {scheduleText(schedule, current)}
          </Row>
        )}
      </dl>
    </aside>
  )
}

interface RowProps {
  readonly name: string
  readonly children: JSX.Element | string
  /** The text has its own line breaks. */
  readonly long?: boolean
}

const Row = ({ name, children, long = false }: RowProps): JSX.Element => (
  <div class={long ? 'long' : undefined}>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

function scheduleText(schedule: ScheduleView, current: SessionView): string {
  return say(schedule.first_date === null ? 'scheduleUndated' : 'schedule', scheduleValues(schedule, current))
}

/** The values in a text about later payments. */
export function scheduleValues(schedule: ScheduleView, { order }: SessionView): Readonly<Record<string, string>> {
  const { tag } = language.value
  return {
    amount: leftToRight(amountText(schedule.amount, order.currency, tag)),
    interval: sayCount(intervalKeys[schedule.unit], schedule.interval),
    date: schedule.first_date === null ? '' : dayText(schedule.first_date, tag),
  }
}

const intervalKeys: Readonly<Record<ScheduleView['unit'], CountKey>> = {
  day: 'everyDay',
  week: 'everyWeek',
  month: 'everyMonth',
  year: 'everyYear',
}
