/** Icons of the result states. They repeat the title, so they are hidden from screen readers. */
import type { JSX } from 'preact'

export type IconName = 'good' | 'bad' | 'time' | 'busy' | 'go'

export function Icon({ name }: { readonly name: IconName }): JSX.Element {
  if (name === 'busy') return <span class="sign spinner" aria-hidden="true" />
  return (
    <svg
      class={`sign ${name}`}
      aria-hidden="true"
      viewBox="0 0 24 24"
      width="48"
      height="48"
      fill="none"
      stroke="currentColor"
    >
      <circle cx="12" cy="12" r="11" stroke="none" fill="currentColor" class="disc" />
      <path d={paths[name]} stroke-width="2" stroke-linecap="round" stroke-linejoin="round" />
    </svg>
  )
}

const paths: Readonly<Record<Exclude<IconName, 'busy'>, string>> = {
  good: 'M7 12.5l3.5 3.5L17 9',
  bad: 'M12 7v6m0 3.5v.01',
  time: 'M12 7v5l3 2.5',
  go: 'M8 12h8m-3.5-3.5L16 12l-3.5 3.5',
}
