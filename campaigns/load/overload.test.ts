import { test } from 'node:test'
import { errors } from '#domain/errors.ts'
import { auditFigures, type Findings, joinFindings, type Terms } from '../campaign.ts'
import { smoke } from '../smoke.ts'
import { audit } from '../stage/audit.ts'
import { isQuiet, only, openStage, type Stage, until } from '../stage/stage.ts'
import { big, effectsOf, small, withoutPayment } from './overload.ts'

/** Per big merchant at once: far more than can wait for a second on any machine. */
const crowd = 100
/** As many slots as each merchant is guaranteed, however slow the instance is. */
const few = 4
const quietWithinMs = 120_000

test('requests beyond the queue are refused as documented and without effect, accepted ones are stored, and a small merchant is served', () =>
  smoke({}, burst))

/** Judged by counts alone; the full campaign judges times. */
async function burst({ database }: Terms): Promise<Findings> {
  await using stage = await openStage({ database, queueMs: 1000, concurrent: 2, sharedAuthority: true })
  const bigOnes = big.flatMap((name) =>
    Array.from({ length: crowd }, (_, index) => [name, `${name}-${index}`] as const),
  )
  const smallOnes = Array.from({ length: few }, (_, index) => [small, `${small}-${index}`] as const)
  const ask = ([name, order]: readonly [string, string]): Promise<Got> => sell(stage, name, order)
  const [crowded, served] = await Promise.all([Promise.all(bigOnes.map(ask)), Promise.all(smallOnes.map(ask))])
  const quiet = await until(() => isQuiet(stage), quietWithinMs)

  const all = [...crowded, ...served]
  const [taken, refused] = [all.filter(isTaken), all.filter(isRefused)]
  const others = all
    .filter((one) => !isTaken(one) && !isRefused(one))
    .map(({ order, http, text }) => `${order}: ${http} ${text}`)
  const effects = await effectsOf(
    stage,
    refused.map(({ order }) => order),
  )
  const forgotten = await withoutPayment(
    stage,
    taken.map(({ order }) => order),
  )
  const audited = auditFigures({ ...(await audit(stage)), unverified: [] })
  const isStarved = shareTaken(served) < shareTaken(crowded)
  return joinFindings(
    {
      figures: [
        { name: 'taken', value: taken.length },
        { name: 'refused', value: refused.length },
        { name: 'the queue has no bound', value: refused.length < crowd ? 1 : 0, must: 0 },
        { name: 'nothing was taken', value: taken.length === 0 ? 1 : 0, must: 0 },
        { name: 'other answers', value: others.length, must: 0 },
        { name: 'the small merchant gets a smaller share than the crowd', value: isStarved ? 1 : 0, must: 0 },
        { name: 'refused requests with an effect', value: effects.length, must: 0 },
        { name: 'answered payments without a record', value: forgotten.length, must: 0 },
        { name: 'not settled at the end', value: quiet === null ? 1 : 0, must: 0 },
      ],
      faults: [...others, ...effects, ...forgotten],
    },
    audited,
  )
}

interface Got {
  readonly order: string
  readonly http: number
  readonly retryAfter: string | null
  readonly text: string
}

async function sell(stage: Stage, name: string, order: string): Promise<Got> {
  const reply = await fetch(`${only(stage.apis).url}/post`, {
    method: 'POST',
    headers: { 'idempotency-key': order },
    body: new URLSearchParams(stage.merchantNamed(name).saleFields(order)),
  })
  return { order, http: reply.status, retryAfter: reply.headers.get('retry-after'), text: await reply.text() }
}

const isTaken = ({ http, text }: Got): boolean => http === 200 && text.includes('"SETTLED"')

const { http: busyHttp, code: busyCode, message: busyText } = errors.overloaded

/** docs/interface/s2s-card.md, "Busy". */
const isRefused = ({ http, retryAfter, text }: Got): boolean =>
  http === busyHttp &&
  /^[1-9][0-9]*$/.test(retryAfter ?? '') &&
  text.includes(String(busyCode)) &&
  text.includes(busyText)

const shareTaken = (got: readonly Got[]): number => got.filter(isTaken).length / got.length
