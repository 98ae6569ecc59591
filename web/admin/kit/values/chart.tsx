/** A chart over time. Its data is also available as a table, and its colours follow the theme. */
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import { isDark } from '../../shell/theme.ts'
import { barsOf } from './bars.ts'
import { DateTime } from './date-time.tsx'
import { loneValues } from './lone-values.ts'

interface ChartSeries {
  readonly label: string
  /** One for each time; null if there is no value. */
  readonly values: readonly (number | null)[]
  /** A colour of the theme; by default the colour of the series' position. */
  readonly tone?: Tone
}

/** As many as the theme has colours. */
type Tone = 1 | 2 | 3 | 4 | 5 | 6

interface ChartProps {
  readonly title: string
  /** In seconds since 1970, ascending. */
  readonly times: readonly number[]
  readonly series: readonly ChartSeries[]
  readonly kind?: 'line' | 'bars'
  readonly format?: (value: number) => string
  readonly height?: number
}

const formatNumber = (value: number): string => new Intl.NumberFormat().format(value)

export function Chart(props: ChartProps): JSX.Element {
  const { title, times, series, format = formatNumber } = props
  const frame = useRef<HTMLDivElement>(null)
  const dark = isDark.value
  useEffect(
    () => (frame.current ? drawChart(frame.current, props) : undefined),
    [dark, JSON.stringify([times, series])],
  )
  return (
    <figure class="chart">
      <figcaption>{title}</figcaption>
      <div ref={frame} class="plot" aria-hidden="true" />
      <ul class="legend" aria-hidden="true">
        {series.map(({ label, tone }, index) => (
          <li key={label} class={`tone-${tone ?? toneAt(index)}`}>
            {label}
          </li>
        ))}
      </ul>
      <details>
        <summary>As a table</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard. */}
        <section class="table-scroll" aria-label={title} tabIndex={0}>
          <table class="plain-table">
            <thead>
              <tr>
                <th scope="col">Time</th>
                {series.map(({ label }) => (
                  <th key={label} scope="col" class="end">
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {times.map((time, index) => (
                <tr key={time}>
                  <th scope="row">
                    <DateTime at={new Date(time * 1000).toISOString()} />
                  </th>
                  {series.map(({ label, values }) => (
                    <td key={label} class="end">
                      {valueText(values[index] ?? null, format)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </figure>
  )
}

const valueText = (value: number | null, format: (value: number) => string): string =>
  value === null ? '—' : format(value)

const hourSeconds = 3600
const daySeconds = 86_400

/** The shortest interval between two values, which is the resolution of the chart. */
function stepOf(times: readonly number[]): number {
  const steps = times.slice(1).map((time, index) => time - (times[index] ?? 0))
  return steps.length === 0 ? hourSeconds : Math.min(...steps)
}

/** Bars need half a step of space at both ends. */
const scalesOf = (kind: 'line' | 'bars', step: number): uPlot.Scales => ({
  x: { range: (_, low, high) => (kind === 'bars' ? [low - step / 2, high + step / 2] : [low, high]) },
  y: { range: (_, __, high) => [0, high > 0 ? high * 1.1 : 1] },
})

const timeSteps = [1, 2, 3, 6, 12, 24, 48, 96, 7 * 24, 14 * 24, 28 * 24, 91 * 24].map((hours) => hours * hourSeconds)

/** Room for the longest label, such as 03:00 AM, and a gap. */
const labelWidth = 76

const timeAxisOf = (shortest: number): uPlot.Axis => ({
  size: 32,
  space: labelWidth,
  incrs: timeSteps.filter((step) => step >= Math.min(shortest, 91 * daySeconds)),
  values: (...[, ticks, , , step]) => ticks.map((tick) => timeText(tick, step)),
})

/** In the viewer's locale: days, and hours between them. */
function timeText(seconds: number, stepSeconds: number): string {
  const instant = new Date(seconds * 1000)
  const isDay = stepSeconds >= daySeconds || (instant.getHours() === 0 && instant.getMinutes() === 0)
  return isDay
    ? instant.toLocaleDateString(undefined, { day: 'numeric', month: 'short' })
    : instant.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' })
}

const toneAt = (index: number): number => (index % 6) + 1

function drawChart(frame: HTMLElement, props: ChartProps): () => void {
  const style = getComputedStyle(frame)
  const colour = (name: string): string => style.getPropertyValue(name).trim()
  const axis = { stroke: colour('--faint'), grid: { stroke: colour('--line'), width: 1 }, ticks: { show: false } }
  const { height = 220, kind = 'line', format = formatNumber } = props
  const bars = uPlot.paths.bars?.({ size: [0.7, 40] })
  const plot = new uPlot(
    {
      width: Math.max(frame.clientWidth, 100),
      height,
      legend: { show: false },
      cursor: { drag: { x: false, y: false } },
      scales: scalesOf(kind, stepOf(props.times)),
      axes: [
        { ...axis, ...timeAxisOf(stepOf(props.times)) },
        { ...axis, size: 64, values: (_, ticks) => ticks.map((tick) => format(tick)) },
      ],
      series: [
        {},
        ...props.series.map(({ label, values, tone }, index) => {
          const stroke = colour(`--tone-${tone ?? toneAt(index)}`)
          return kind === 'bars' && bars
            ? { label, stroke, fill: stroke, paths: bars, points: { show: false } }
            : {
                label,
                stroke,
                width: 2,
                points: { show: true, size: 7, fill: stroke, filter: () => loneValues(values) },
              }
        }),
      ],
    },
    [[...props.times], ...props.series.map(({ values }) => (kind === 'bars' ? barsOf(values) : [...values]))],
    frame,
  )
  const watch = new ResizeObserver(() => plot.setSize({ width: Math.max(frame.clientWidth, 100), height }))
  watch.observe(frame)
  return () => {
    watch.disconnect()
    plot.destroy()
  }
}
