/** The key that signs Checkout's session tokens. Chapter 30 §3.6. */
import { sessionKeys } from '#server/protocols/checkout/session-keys.ts'
import { sessionKeyRows } from '#server/store/session-keys.ts'
import { command } from '../kit/command.ts'
import { openInstance } from '../kit/instance.ts'

export const rotateSessionKey = command({
  name: 'keys rotate-session',
  changes: true,
  summary: 'Makes a new key that signs session tokens; links that were given out go on working.',
  details:
    'Running processes use it within five minutes. Its size is SESSION_KEY_BITS. Older keys are kept, so that every token is\n' +
    'verified by the key that signed it.',
  args: {},
  options: {},
  async run(context) {
    await using instance = await openInstance(context)
    const id = await instance.change(async ({ pool, vault, clock, ids, config, note }) => {
      const keys = sessionKeys({ rows: sessionKeyRows(pool), vault, clock, ids, bits: config.sessionKeyBits })
      await keys.rotate()
      const current = (await keys.current()).id
      note({ action: 'session-key.rotate', subject: `session-key ${current}`, merchantId: null })
      return current
    })
    context.output.out(`The key ${id} signs session tokens from now on.`)
  },
})
