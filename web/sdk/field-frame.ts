/** One frame of the service in the merchant's page, and the channel to it. */
import type { Fault, FieldInput, FieldName, Order, Report, Welcome } from '../fields/messages.ts'

interface FrameSetting {
  readonly name: FieldName
  readonly container: HTMLElement
  /** Address of the service. */
  readonly base: string
  readonly welcome: Welcome
  readonly onEvent: (event: FrameEvent) => void
}

type FrameEvent =
  | { readonly event: 'input'; readonly data: FieldInput }
  | { readonly event: 'focus' }
  | { readonly event: 'blur' }
  | { readonly event: 'enter' }

type Numbered = Extract<Order, { readonly number: number }>
/** An order that is answered; the frame's number for it is added here. */
type Question = {
  [Name in Numbered['order']]: Omit<Extract<Numbered, { readonly order: Name }>, 'number'>
}[Numbered['order']]

/** The fault, or null; after `begin` also whether the security code may stay empty. */
type FieldAnswer = Pick<Extract<Report, { readonly report: 'answer' }>, 'fault' | 'codeOptional'>

export interface FieldFrame {
  readonly name: FieldName
  /** Resolves when the field is ready for input. */
  readonly ready: Promise<void>
  ask(order: Question): Promise<FieldAnswer>
  tell(order: Extract<Order, { readonly order: 'focus' | 'brand' }>): void
  remove(): void
}

const READY_WITHIN_MS = 20_000
const ANSWERS_WITHIN_MS = 40_000

export function openFrame({ name, container, base, welcome, onEvent }: FrameSetting): FieldFrame {
  const frame = frameElement(name, `${base}/hosted-fields/${name}?${frameParameters(welcome)}`)
  const waiting = new Map<number, (answer: FieldAnswer) => void>()
  let port: MessagePort | null = null
  let questionCount = 0
  let settleReady: () => void = () => undefined

  const handleReport = ({ data }: MessageEvent<Report>): void => {
    if (data.report === 'ready') {
      frame.title = data.label
      frame.style.height = `${data.heightPx}px`
      settleReady()
    } else if (data.report === 'answer') {
      waiting.get(data.number)?.(data)
      waiting.delete(data.number)
    } else if (data.report === 'input') onEvent({ event: 'input', data: data.data })
    else onEvent({ event: data.report })
  }

  // A frame that the browser reloads greets again and gets a new channel.
  const welcomeFrame = ({ source, origin, data }: MessageEvent<unknown>): void => {
    if (source === null || source !== frame.contentWindow || origin !== new URL(base).origin || !isGreeting(data, name))
      return
    const channel = new MessageChannel()
    port?.close()
    port = channel.port1
    port.onmessage = handleReport
    frame.contentWindow.postMessage(welcome, origin, [channel.port2])
  }

  addEventListener('message', welcomeFrame)
  const ready = new Promise<void>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`The field ${name} did not load.`)), READY_WITHIN_MS)
    settleReady = () => {
      clearTimeout(late)
      resolve()
    }
  })
  container.append(frame)

  return {
    name,
    ready,
    ask: (order) =>
      new Promise((resolve) => {
        questionCount += 1
        const number = questionCount
        const late = setTimeout(() => waiting.get(number)?.({ fault: silenceFault }), ANSWERS_WITHIN_MS)
        waiting.set(number, (answer) => {
          clearTimeout(late)
          resolve(answer)
        })
        port?.postMessage({ ...order, number })
      }),
    tell: (order) => port?.postMessage(order),
    remove: () => {
      removeEventListener('message', welcomeFrame)
      settleReady()
      port?.close()
      for (const answer of waiting.values()) answer({ fault: silenceFault })
      waiting.clear()
      frame.remove()
    },
  }
}

const silenceFault: Fault = { message: 'The field does not respond.', ofField: false }

/** No `sandbox` attribute: existing mobile wrappers access frames of their own origin. Chapter 30 §8.3. */
function frameElement(name: FieldName, address: string): HTMLIFrameElement {
  const frame = document.createElement('iframe')
  frame.src = address
  frame.name = `gatehouse-${name}`
  frame.title = titles[name]
  Object.assign(frame.style, { display: 'block', width: '100%', minHeight: '100%', height: '40px', border: '0' })
  return frame
}

/**
 * The token is not part of the address. The session's identifier gives no access; it tells the service which embedding origins to allow.
 */
function frameParameters({ token, language }: Welcome): URLSearchParams {
  return new URLSearchParams({ language, session: sessionIn(token) })
}

/** A session token is a signed token in base64url. An unreadable one yields no session. */
function sessionIn(token: string): string {
  try {
    const { jti }: { readonly jti?: unknown } = JSON.parse(decodeBase64Url(decodeBase64Url(token).split('.')[1] ?? ''))
    return typeof jti === 'string' ? jti : ''
  } catch {
    return ''
  }
}

const decodeBase64Url = (text: string): string => atob(text.replace(/-/g, '+').replace(/_/g, '/'))

/** Used until the frame reports its label in the payer's language. */
const titles: Readonly<Record<FieldName, string>> = { card: 'Card number', expiry: 'Expiry date', cvv: 'Security code' }

const isGreeting = (data: unknown, name: FieldName): boolean =>
  typeof data === 'object' &&
  data !== null &&
  Reflect.get(data, 'gatehouse') === 'field' &&
  Reflect.get(data, 'field') === name
