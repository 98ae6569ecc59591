/** One wallet token in twenty concurrent requests, on both protocols and through two processes: exactly one payment. Chapter 40 §13. */
import type { Findings } from '../campaign.ts'
import type { Random } from '../stage/random.ts'
import { type Stage, until } from '../stage/stage.ts'
import { mintToken, payWithToken, type TokenProtocol, type TokenWallet } from '../stage/wallet-requests.ts'

const crowd = 20
const knownWithinMs = 30_000

export async function raceTokens(stage: Stage, random: Random, count: number): Promise<Findings> {
  const twice: string[] = []
  const never: string[] = []
  const other: string[] = []
  await waitUntilAccepted(stage)
  for (let round = 0; round < count; round += 1) {
    const { paid, strange } = await raceToken(stage, random.pick<TokenWallet>(['walletapay', 'walletbpay']), round)
    if (paid > 1) twice.push(`Token ${round} paid ${paid} times`)
    if (paid === 0) never.push(`Token ${round} paid nothing`)
    other.push(...strange)
  }
  return {
    figures: [
      { name: 'tokens raced', value: `${count} × ${crowd}` },
      { name: 'tokens that paid more than once', value: twice.length, must: 0 },
      { name: 'tokens that paid nothing', value: never.length, must: 0 },
      { name: 'refused for other reasons than replay', value: other.length, must: 0 },
    ],
    faults: [...twice, ...never, ...other],
  }
}

/** Each process learns of a newly enabled wallet a moment later; a race before that would test only this delay. */
async function waitUntilAccepted(stage: Stage): Promise<void> {
  for (const { url } of stage.apis) {
    for (const wallet of ['walletapay', 'walletbpay'] as const) {
      let tries = 0
      const taken = await until(async () => {
        tries += 1
        const token = await mintToken(stage, url, wallet)
        const orderId = `known-${wallet}-${new URL(url).port}-${tries}`
        const reply = await payWithToken(stage, url, { orderId, wallet, protocol: 's2s-card', token })
        return reply.answered && reply.body.result === 'SUCCESS'
      }, knownWithinMs)
      if (taken === null) throw new Error(`The process at ${url} does not accept ${wallet}.`)
    }
  }
}

async function raceToken(stage: Stage, wallet: TokenWallet, round: number) {
  const [one, two] = stage.apis
  if (!one || !two) throw new Error('A race needs two processes.')
  const token = await mintToken(stage, one.url, wallet)
  const replies = await Promise.all(
    Array.from({ length: crowd }, (_, index) => {
      const protocol: TokenProtocol = index % 4 < 2 ? 's2s-card' : 's2s-apm'
      const { url } = index % 2 === 0 ? one : two
      return payWithToken(stage, url, { orderId: `token-${round}-${index}`, wallet, protocol, token })
    }),
  )
  const paid = replies.filter((reply) => reply.answered && reply.body.result === 'SUCCESS')
  const strange = replies.filter(
    (reply) => !paid.includes(reply) && !(reply.answered && reply.body.error_code === replayedCode),
  )
  return { paid: paid.length, strange: strange.map((reply) => `Token ${round}: ${JSON.stringify(reply)}`) }
}

const replayedCode = 250003
