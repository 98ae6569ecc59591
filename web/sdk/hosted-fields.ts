/**
 * Hosted Payment Fields: the card inputs, each in a frame of the service, inside the merchant's own form. The merchant's page learns
 * whether a field is valid, never its value. Chapter 30 §8.3.
 */
import { type Fault, type FieldInput, type FieldName, type FieldStyle, fieldNames } from '../fields/messages.ts'
import { randomUuid } from '../kit/random-uuid.ts'
import { type FieldFrame, openFrame } from './field-frame.ts'
import { serviceAddress } from './service-address.ts'

export type { FieldInput, FieldName, FieldStyle }

export interface HostedFieldsOptions {
  /** Address of the service; needed only if the script is not loaded from it. */
  readonly baseUrl?: string
}

export interface HostedFieldsConfig {
  readonly sessionToken: string
  /** Only `cvv` for a saved card. */
  readonly fields: Partial<Readonly<Record<FieldName, FieldPlace>>>
  /** `{input: {…}, '::placeholder': {…}, ':focus': {…}, ':invalid': {…}}`. */
  readonly style?: FieldStyle
  /** The language of labels and messages, a code of the hosted page; English by default. */
  readonly language?: string
}

export interface FieldPlace {
  /** The id of the container element. */
  readonly id: string
  readonly placeholder?: string
}

export interface FieldListeners {
  input?: (data: FieldInput) => void
  focus?: () => void
  blur?: () => void
  /** The payer pressed Enter. Without this listener the button that submits the surrounding form is pressed. */
  enter?: () => void
}

export type SubmitResult =
  | { readonly result: 'success' }
  | { readonly result: 'error'; readonly message: string; readonly errors: readonly FieldError[] }

export interface FieldError {
  readonly field: FieldName
  readonly message: string
}

export class HostedFields {
  cardOn: FieldListeners = {}
  expiryOn: FieldListeners = {}
  cvvOn: FieldListeners = {}
  onSubmitResult: (data: SubmitResult) => void = () => undefined

  readonly #base: string
  #frames: readonly FieldFrame[] = []
  #collecting: Promise<SubmitResult> | null = null

  constructor({ baseUrl }: HostedFieldsOptions = {}) {
    this.#base = serviceAddress(baseUrl)
  }

  /** Inserts a frame into each container. */
  async init({ sessionToken, fields, style = {}, language = 'en' }: HostedFieldsConfig): Promise<void> {
    this.destroy()
    const places = fieldNames.flatMap((name) => {
      const place = fields[name]
      return place ? [{ name, container: containerOf(place.id), placeholder: place.placeholder ?? '' }] : []
    })
    if (places.length === 0) throw new Error('Name at least one field.')
    const frames = places.map(({ name, container, placeholder }) =>
      openFrame({
        name,
        container,
        base: this.#base,
        welcome: { gatehouse: 'welcome', token: sessionToken, style, placeholder, language },
        onEvent: (event) => {
          const listeners = { card: this.cardOn, expiry: this.expiryOn, cvv: this.cvvOn }[name]
          if (event.event === 'enter' && !listeners.enter) return submitForm(container)
          if (event.event !== 'input') return listeners[event.event]?.()
          if (name === 'card') this.#tellBrand(event.data.brand ?? '')
          listeners.input?.(event.data)
        },
      }),
    )
    this.#frames = frames
    await Promise.all(frames.map(({ ready }) => ready))
  }

  /** Validates the fields and has each frame store its value in the session. Concurrent calls share one result. */
  collectIframesData(): Promise<SubmitResult> {
    this.#collecting ??= this.#collect().then((result) => {
      this.#collecting = null
      this.onSubmitResult(result)
      return result
    })
    return this.#collecting
  }

  /** For the merchant's own label: a label cannot focus the input of a frame. */
  focus(field: FieldName): void {
    this.#frames.find(({ name }) => name === field)?.tell({ order: 'focus' })
  }

  destroy(): void {
    for (const frame of this.#frames) frame.remove()
    this.#frames = []
  }

  async #collect(): Promise<SubmitResult> {
    const frames = this.#frames
    const [first] = frames
    if (!first) return { result: 'error', message: 'The fields are not ready: call init first.', errors: [] }
    await Promise.all(frames.map(({ ready }) => ready.catch(() => undefined)))
    const collection = randomUuid()
    // The merchant's policy need not allow requests to the service, so a frame sends it.
    const { fault: notBegun, codeOptional = false } = await first.ask({ order: 'begin', collection })
    if (notBegun) return refusalOf([{ ...notBegun, frame: first }])
    const checks = await Promise.all(frames.map((frame) => frame.ask({ order: 'check', collection, codeOptional })))
    const wrong = faultsOf(frames, checks)
    if (wrong.length > 0) return refusalOf(wrong)
    return sendAll(frames, collection)
  }

  #tellBrand(brand: string): void {
    this.#frames.find(({ name }) => name === 'cvv')?.tell({ order: 'brand', brand })
  }
}

interface FaultOfFrame extends Fault {
  readonly frame: FieldFrame
}

interface FrameAnswer {
  readonly fault: Fault | null
}

/** One after the other, so that only the last value, after all others have arrived, makes the collection complete. */
async function sendAll(frames: readonly FieldFrame[], collection: string): Promise<SubmitResult> {
  const answers: FrameAnswer[] = []
  for (const [place, frame] of frames.entries()) {
    const last = place === frames.length - 1 && answers.every(({ fault }) => !fault)
    answers.push(await frame.ask({ order: 'send', collection, last }))
  }
  const faults = faultsOf(frames, answers)
  return faults.length > 0 ? refusalOf(faults) : { result: 'success' }
}

const faultsOf = (frames: readonly FieldFrame[], answers: readonly FrameAnswer[]): readonly FaultOfFrame[] =>
  frames.flatMap((frame, index) => {
    const fault = answers[index]?.fault
    return fault ? [{ ...fault, frame }] : []
  })

/** Focuses the first field that the payer can correct. */
function refusalOf(faults: readonly FaultOfFrame[]): SubmitResult {
  const ofFields = faults.filter(({ ofField }) => ofField)
  ofFields[0]?.frame.tell({ order: 'focus' })
  return {
    result: 'error',
    message: (faults.find(({ ofField }) => !ofField) ?? faults[0])?.message ?? '',
    errors: ofFields.map(({ frame, message }) => ({ field: frame.name, message })),
  }
}

/** As a browser does for an input of the form itself: only a form with a button that submits it. */
function submitForm(container: HTMLElement): void {
  const elements = Array.from(container.closest('form')?.elements ?? [])
  const button = elements.find(
    (element) =>
      (element instanceof HTMLButtonElement || element instanceof HTMLInputElement) && element.type === 'submit',
  )
  if (button instanceof HTMLElement) button.click()
}

function containerOf(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`There is no element with the id ${id}.`)
  return found
}
