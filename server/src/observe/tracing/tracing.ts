/** Traces of a process: requests, intents, exchanges with acquirers, outcomes and callbacks, linked by the payment's id. Loaded only if it is configured. */
import type { FastifyRequest } from 'fastify'
import type { Acquirer, Acquirers, DueCallback, Payments, Plans } from '../../contracts/ports.ts'
import type { Exporter } from './otlp-exporter.ts'
import type { Sampler } from './sampler.ts'
import { createTracer, type OpenSpan, readTraceparent, type Tracer } from './tracer.ts'

export interface Tracing {
  /** Null if the request is not sampled. */
  request(request: FastifyRequest): OpenSpan | null
  payments(store: Payments): Payments
  plans(store: Plans): Plans
  acquirers(all: Acquirers): Acquirers
  /** Work of a worker on a payment; null if it creates the payment. */
  readonly traceJob: <T>(name: string, paymentId: string | null, work: () => Promise<T>) => Promise<T>
  traceCallback<T extends string>(callback: DueCallback, deliver: () => Promise<T>): Promise<T>
  stop(): Promise<void>
}

interface TracingOptions {
  readonly exporter: Exporter
  readonly isSampled: Sampler
  /** Whose trace headers are trusted. None is ever sent to acquirers or merchants. */
  readonly isProxy: (address: string) => boolean
}

export function openTracing({ exporter, isSampled, isProxy }: TracingOptions): Tracing {
  const tracer = createTracer(isSampled, (span) => exporter.add(span))
  return {
    request: ({ headers: { traceparent }, socket }) => {
      const isBelieved = traceparent !== undefined && isProxy(socket.remoteAddress ?? '')
      return tracer.open('request', 'server', isBelieved ? readTraceparent(traceparent) : null)
    },
    payments: (store) => tracedPayments(tracer, store),
    plans: (store) => tracedPlans(tracer, store),
    acquirers: (all) => tracedAcquirers(tracer, all),
    traceJob: (name, paymentId, work) => {
      const attributes = { 'gatehouse.job': name, ...(paymentId === null ? {} : ofPayment(paymentId)) }
      return tracer.traceWork(paymentId, { name: 'job', kind: 'internal', attributes }, work)
    },
    traceCallback: ({ paymentId }, deliver) =>
      tracer.traceWork(
        paymentId,
        { name: 'callback', kind: 'client', attributes: ofPayment(paymentId) },
        deliver,
        outcomeOf,
      ),
    stop: () => exporter.stop(),
  }
}

const ofPayment = (id: string) => ({ 'gatehouse.payment_id': id })
const outcomeOf = (result: string) => ({ 'gatehouse.outcome': result })

const tracedPayments = (tracer: Tracer, store: Payments): Payments => ({
  ...store,
  open: (opening) => tracer.traceStep(stepOf('intent', opening.payment.id), () => store.open(opening)),
  begin: (beginning) => tracer.traceStep(stepOf('intent', beginning.payment.id), () => store.begin(beginning)),
  settle: (settlement) =>
    tracer.traceStep(stepOf('outcome', settlement.after.id), () => store.settle(settlement), outcomeOf),
  enter: (settlement) =>
    tracer.traceStep(stepOf('outcome', settlement.after.id), () => store.enter(settlement), outcomeOf),
})

/** A payment of a plan is created by the worker: its span is named after the payment as soon as the intent is written. */
const tracedPlans = (tracer: Tracer, store: Plans): Plans => ({
  ...store,
  fire: async (firing) => {
    const { id } = firing.opening.payment
    const result = await tracer.traceStep(stepOf('intent', id), () => store.fire(firing))
    if (result === 'fired') tracer.describe(ofPayment(id))
    return result
  },
})

const stepOf = (name: string, paymentId: string) =>
  ({ name, kind: 'internal', attributes: ofPayment(paymentId) }) as const

function tracedAcquirers(tracer: Tracer, all: Acquirers): Acquirers {
  const traceAcquirer = (acquirer: Acquirer): Acquirer => {
    const exchange = (operation: string) =>
      ({
        name: 'acquirer',
        kind: 'client',
        attributes: { 'gatehouse.connector': acquirer.connector.id, 'gatehouse.operation': operation },
      }) as const
    const resultOf = ({ result }: { readonly result: string }) => outcomeOf(result)
    return {
      ...acquirer,
      exchange: (operation, call) =>
        tracer.traceStep(exchange(operation), () => acquirer.exchange(operation, call), resultOf),
      undo: (call) => tracer.traceStep(exchange('undo'), () => acquirer.undo(call), resultOf),
      status: (query) => tracer.traceStep(exchange('status'), () => acquirer.status(query), resultOf),
    }
  }
  return {
    ...all,
    find: async (midId) => {
      const acquirer = await all.find(midId)
      return tracer.isRecording() ? traceAcquirer(acquirer) : acquirer
    },
  }
}
