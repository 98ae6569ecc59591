/**
 * Full payments by the payment module of Medusa, called directly in this process: a payment collection, a session, its authorisation and its
 * capture, with the module's own provider, which accepts everything at once. Run as `node bench/peers/medusa.ts <connections>
 * <concurrent payments> <seconds>` with the address of an empty database in DATABASE_URL; prints one line of JSON.
 *
 * Its packages are in this folder and not in the project, so the compiler does not know their types.
 */
import { createRequire } from 'node:module'

interface Payments {
  createPaymentCollections(fields: object): Promise<{ readonly id: string }>
  createPaymentSession(collection: string, fields: object): Promise<{ readonly id: string }>
  authorizePaymentSession(session: string, context: object): Promise<{ readonly id: string } | null>
  capturePayment(fields: object): Promise<{ readonly captured_at: unknown }>
}

interface Loader {
  migrateUp(options: object): Promise<unknown>
  bootstrap(options: object): Promise<Readonly<Record<string, Payments>>>
}

interface Connection {
  destroy(): Promise<unknown>
}

const [connections = '16', concurrent = '32', seconds = '5'] = process.argv.slice(2)
const require = createRequire(import.meta.url)
const { MedusaModule } = require('@medusajs/framework/modules-sdk') as { readonly MedusaModule: Loader }
const { ModulesSdkUtils } = require('@medusajs/framework/utils') as {
  readonly ModulesSdkUtils: { createPgConnection(options: object): Connection }
}

const connect = (): Connection =>
  ModulesSdkUtils.createPgConnection({
    clientUrl: process.env['DATABASE_URL'],
    pool: { min: Number(connections), max: Number(connections) },
  })
const path = require.resolve('@medusajs/payment')
// The migration closes its connection.
await MedusaModule.migrateUp({
  moduleKey: 'payment',
  modulePath: path,
  options: { database: { connection: connect() } },
})
const connection = connect()
const { payment: payments } = await MedusaModule.bootstrap({
  moduleKey: 'payment',
  defaultPath: path,
  declaration: { options: { database: { connection } } },
})
if (!payments) throw new Error('The payment module was not loaded.')

let count = 0
/** Until the compiler has seen the hot paths and the connections are open. */
const warmUpMs = 5_000
await runFor(payments, warmUpMs)
const warmUp = count
count = 0
const idle = process.cpuUsage()
const begun = performance.now()
await runFor(payments, Number(seconds) * 1000)
const took = (performance.now() - begun) / 1000
const { user, system } = process.cpuUsage(idle)
await connection.destroy()
process.stdout.write(
  `${JSON.stringify({ payments: count, warmUp, seconds: took, cpuSeconds: (user + system) / 1e6 })}\n`,
  // The module may leave timers behind.
  () => process.exit(0),
)

async function runFor(by: Payments, milliseconds: number): Promise<void> {
  const until = performance.now() + milliseconds
  await Promise.all(
    Array.from({ length: Number(concurrent) }, async () => {
      while (performance.now() < until) {
        await pay(by)
        count += 1
      }
    }),
  )
}

async function pay(by: Payments): Promise<void> {
  const money = { currency_code: 'eur', amount: 10 }
  const collection = await by.createPaymentCollections(money)
  const session = await by.createPaymentSession(collection.id, { provider_id: 'pp_system_default', data: {}, ...money })
  const payment = await by.authorizePaymentSession(session.id, {})
  if (payment === null) throw new Error('A payment was not authorised.')
  const { captured_at: capturedAt } = await by.capturePayment({ payment_id: payment.id })
  if (!capturedAt) throw new Error('A payment was not captured.')
}
