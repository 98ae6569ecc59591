/** The mark of a card network. It has the network's name as text, because colours and figures alone would not be accessible. */
import type { JSX } from 'preact'
import { networkName } from '#domain/network-names.ts'
import { method, session } from '../state/session.ts'
import { type MarkShape, markShapes } from './shapes.ts'

interface MarkProps {
  readonly network: string
  /** Beside the network's name, the mark repeats it. */
  readonly isDecoration?: boolean
}

export function NetworkMark({ network, isDecoration = false }: MarkProps): JSX.Element {
  const name = networkName(network)
  const own = ownMark(network)
  if (own !== undefined)
    return <img class="mark" src={own} alt={isDecoration ? '' : name} width="38" height="24" title={name} />
  const named = isDecoration ? {} : ({ role: 'img', 'aria-label': name } as const)
  return (
    <span class="mark" {...named}>
      <svg aria-hidden="true" viewBox="0 0 38 24" width="38" height="24">
        <Shape {...(Object.hasOwn(shapes, network) ? (shapes[network] ?? unknown) : unknown)} />
      </svg>
    </span>
  )
}

/** The operator's own file. A page with several methods has one card method, which need not be the chosen one. */
const ownMark = (network: string): string | undefined =>
  (method.value?.kind === 'card' ? method.value : session.value?.methods.find(({ kind }) => kind === 'card'))?.marks[
    network
  ]

const shapes: Readonly<Record<string, MarkShape>> = markShapes

/** A plain card. */
const unknown: MarkShape = { plate: '#68727f', figures: [['#fff', 'M5 8h28v3H5zM5 15h10v2H5z']] }

function Shape({ plate, figures = [], letters, ink = '#fff', slanted = false }: MarkShape): JSX.Element {
  return (
    <>
      <rect x=".5" y=".5" width="37" height="23" rx="3.5" fill={plate} stroke="#8088" />
      {figures.map(([colour, path]) => (
        <path key={path} fill={colour} d={path} />
      ))}
      {letters && (
        <text
          x={figures.length === 0 ? 19 : figures.length === 2 ? 15 : 24}
          y="15.4"
          fill={ink}
          text-anchor="middle"
          font-size={letters.length > 3 ? 9 : 11}
          font-weight="800"
          font-style={slanted ? 'italic' : undefined}
        >
          {letters}
        </text>
      )}
    </>
  )
}
