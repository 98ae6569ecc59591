/** The panel's few icons: drawn on 24 by 24, by one line. They only accompany words, so that nobody has to be told what they show. */
import type { JSX } from 'preact'

// biome-ignore format: a table is read in columns.
const paths = {
  // name      line
  alert:      'M12 4 2.5 20h19L12 4Zm0 6v5m0 2.5v.5',
  approval:   'M4 5h16v11H13l-4 4v-4H4V5Zm4.5 5.5 2.5 2.5 4.5-4.5',
  audit:      'M6 3h9l4 4v14H6V3Zm3 7h7m-7 4h7m-7 4h4',
  bolt:       'M13 3 5 14h6l-1 7 8-11h-6l1-7Z',
  brush:      'M14 4l6 6-7 7H7v-6l7-7ZM5 20h14',
  calendar:   'M4 6h16v14H4V6Zm0 4h16M8 3v4m8-4v4',
  callback:   'M4 12a8 8 0 0 1 14-5l2 2m0-5v5h-5M20 12a8 8 0 0 1-14 5l-2-2m0 5v-5h5',
  capture:    'M4 12l5 5L20 6',
  chart:      'M4 20V4m0 16h16M8 16v-5m4 5V7m4 9v-7',
  check:      'M5 12.5 10 17 19 7',
  clock:      'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Zm0 4v5l3.5 2',
  close:      'M6 6l12 12M18 6 6 18',
  copy:       'M8 8h12v12H8V8ZM4 16V4h12',
  down:       'M12 5v14m-6-6 6 6 6-6',
  download:   'M12 4v11m-4.5-4L12 15.5 16.5 11M5 20h14',
  filter:     'M4 6h16M7 12h10M10 18h4',
  form:       'M5 4h14v16H5V4Zm3 4h8M8 12h8m-8 4h4',
  health:     'M3 12h4l2.5-6 4 12L16 12h5',
  key:        'M15 4a5 5 0 1 0 0 10 5 5 0 0 0 0-10ZM11.5 12.5 4 20m3.5-3.5L10 19',
  link:       'M9 15 15 9M8 11l-3 3a3.5 3.5 0 0 0 5 5l3-3m3-3 3-3a3.5 3.5 0 0 0-5-5l-3 3',
  menu:       'M4 6h16M4 12h16M4 18h16',
  merchant:   'M4 10v10h16V10M3 10l2-6h14l2 6a3 3 0 0 1-6 0 3 3 0 0 1-6 0 3 3 0 0 1-6 0Z',
  moon:       'M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5Z',
  more:       'M5 12h.01M12 12h.01M19 12h.01',
  payments:   'M3 6h18v12H3V6Zm0 4h18M7 15h4',
  plug:       'M9 3v5m6-5v5M6 8h12v3a6 6 0 0 1-12 0V8Zm6 9v4',
  plus:       'M12 5v14M5 12h14',
  route:      'M6 17a2 2 0 1 0 0 4 2 2 0 0 0 0-4ZM18 3a2 2 0 1 0 0 4 2 2 0 0 0 0-4ZM8 19h6.5a3.5 3.5 0 0 0 0-7h-5a3.5 3.5 0 0 1 0-7H16',
  search:     'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13Zm5 11.5L20 20',
  settings:   'M5 7h8m4 0h2M5 17h2m4 0h8M15 5v4M9 15v4',
  shield:     'M12 3 5 6v6c0 4.5 3 7.5 7 9 4-1.5 7-4.5 7-9V6l-7-3Z',
  simulator:  'M8 2h8v20H8V2Zm3 16.5h2',
  sun:        'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8Zm0-5v2m0 14v2M3 12h2m14 0h2M5.6 5.6 7 7m10 10 1.4 1.4M18.4 5.6 17 7M7 17l-1.4 1.4',
  tag:        'M4 4h8l8 8-8 8-8-8V4Zm4 4h.01',
  up:         'M12 19V5m-6 6 6-6 6 6',
  user:       'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM4 21a8 8 0 0 1 16 0',
  users:      'M9 5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7ZM2.5 20a6.5 6.5 0 0 1 13 0M15.5 5.3a3.5 3.5 0 0 1 0 6.4M18 14.5a6.5 6.5 0 0 1 3.5 5.5',
} as const

export type IconName = keyof typeof paths

export function Icon({ name }: { readonly name: IconName }): JSX.Element {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  )
}
