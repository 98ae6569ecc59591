/**
 * The script of one field, inside its frame. It validates what the payer types, reports the field's state to the merchant's page without
 * the value, and sends the value only to the service. Chapter 30 §8.3.
 */
import { languageOf } from '#domain/place/language.ts'
import { digitsOf, networkWhileTyping } from '../kit/card-number.ts'
import { caretAfter } from '../kit/caret.ts'
import { type Entry, entries } from './entry.ts'
import { beginCollection, type Refusal, sendField } from './fields-api.ts'
import {
  type Fault,
  type FieldName,
  fieldNames,
  type Greeting,
  type Order,
  type Report,
  type Welcome,
} from './messages.ts'
import { filterStyle, type Selector } from './style-rules.ts'
import { type FieldTexts, textsIn } from './texts.ts'

const field = fieldNames.find((name) => location.pathname.endsWith(`/${name}`))
const input = document.querySelector('input')
if (field !== undefined && input !== null) greet(field, input)

/** The parent page is not checked here: `frame-ancestors` decides who may embed this frame. */
function greet(field: FieldName, input: HTMLInputElement): void {
  clearOnLeaving(input)
  const welcome = (event: MessageEvent<unknown>): void => {
    const [port] = event.ports
    if (event.source !== parent || port === undefined || !isWelcome(event.data)) return
    removeEventListener('message', welcome)
    new Field(field, input, event.data, port).begin()
  }
  addEventListener('message', welcome)
  const greeting: Greeting = { gatehouse: 'field', field }
  parent.postMessage(greeting, '*')
}

class Field {
  readonly #name: FieldName
  readonly #input: HTMLInputElement
  readonly #entry: Entry
  readonly #token: string
  readonly #welcome: Welcome
  readonly #texts: FieldTexts
  readonly #port: MessagePort
  #brand: string | null = null
  #shown = ''

  constructor(name: FieldName, input: HTMLInputElement, welcome: Welcome, port: MessagePort) {
    this.#name = name
    this.#input = input
    this.#entry = entries[name]
    this.#token = welcome.token
    this.#welcome = welcome
    this.#texts = textsIn(languageOf(welcome.language))
    this.#port = port
  }

  begin(): void {
    this.#dress()
    const input = this.#input
    input.addEventListener('input', () => this.#handleInput())
    input.addEventListener('focus', () => this.#tell({ report: 'focus' }))
    input.addEventListener('blur', () => {
      // An empty field stays as it is: wrong only if a collection has found it empty.
      if (input.value !== '') this.#mark(!this.#isValid())
      this.#tell({ report: 'blur' })
    })
    input.addEventListener('keydown', ({ key, isComposing }) => {
      if (key === 'Enter' && !isComposing) this.#tell({ report: 'enter' })
    })
    // The frame may be taller than its input; a click anywhere focuses the input.
    document.addEventListener('pointerup', () => input.focus())
    this.#port.addEventListener('message', (event: MessageEvent<Order>) => void this.#obey(event.data))
    this.#port.start()
    this.#tell({ report: 'ready', label: this.#texts.label[this.#name], heightPx: heightOf(input) })
  }

  #dress(): void {
    const { tag, direction, label } = this.#texts
    document.documentElement.lang = tag
    document.documentElement.dir = direction
    document.title = label[this.#name]
    const own = document.querySelector('label')
    if (own !== null) own.textContent = label[this.#name]
    this.#input.placeholder = this.#welcome.placeholder
    // Pasted text may be longer before it is formatted.
    this.#input.removeAttribute('maxlength')
    applyStyle(this.#welcome)
  }

  #handleInput(): void {
    const { value, selectionStart } = this.#input
    const shaped = this.#entry.shape(value, this.#shown)
    this.#shown = shaped
    if (shaped !== value) {
      const atEnd = selectionStart === null || selectionStart >= value.length
      const caret = atEnd ? shaped.length : caretAfter(shaped, digitsOf(value.slice(0, selectionStart)).length)
      this.#input.value = shaped
      this.#input.setSelectionRange(caret, caret)
    }
    if (this.#isValid()) this.#mark(false)
    const stands = { valid: this.#isValid(), empty: shaped === '' }
    this.#tell({
      report: 'input',
      data: this.#name === 'card' ? { ...stands, brand: networkWhileTyping(shaped) ?? '' } : stands,
    })
  }

  async #obey(order: Order): Promise<void> {
    switch (order.order) {
      case 'focus':
        return this.#input.focus()
      case 'brand':
        this.#brand = order.brand === '' ? null : order.brand
        return
      case 'begin':
        return this.#tell({ report: 'answer', number: order.number, ...(await this.#begin(order.collection)) })
      case 'check':
        return this.#tell({ report: 'answer', number: order.number, fault: await this.#check(order) })
      case 'send':
        return this.#tell({ report: 'answer', number: order.number, fault: await this.#send(order) })
    }
  }

  async #begin(collection?: string): Promise<{ readonly fault: Fault | null; readonly codeOptional: boolean }> {
    const begun = await beginCollection(this.#token, collection)
    return begun.sent
      ? { fault: null, codeOptional: begun.codeOptional }
      : { fault: this.#faultOf(begun), codeOptional: false }
  }

  /** A script of an earlier release begins no collection, so each frame does: it checks all frames before it sends. */
  async #check({ collection, codeOptional }: Extract<Order, { readonly order: 'check' }>): Promise<Fault | null> {
    const begun = collection === undefined ? await this.#begin() : { fault: null, codeOptional: codeOptional === true }
    if (begun.fault) return begun.fault
    const right = this.#isValid() || (this.#name === 'cvv' && begun.codeOptional && this.#input.value === '')
    this.#mark(!right)
    return right ? null : this.#wrong()
  }

  async #send({ collection, last = false }: Extract<Order, { readonly order: 'send' }>): Promise<Fault | null> {
    const value = this.#entry.value(this.#input.value)
    const named = collection === undefined ? {} : { collection, last }
    const sending = await sendField(this.#token, { field: this.#name, value, ...named })
    return sending.sent ? null : this.#faultOf(sending)
  }

  #faultOf(refusal: Refusal): Fault {
    if (refusal.refused === 'session') return { message: this.#texts.fault[refusal.fault], ofField: false }
    this.#mark(true)
    return refusal.refused === 'value' ? this.#wrong() : { message: this.#texts.wrongNetwork, ofField: true }
  }

  #isValid(): boolean {
    const around = { today: today(), brand: this.#brand }
    return this.#entry.isValid(this.#input.value, around)
  }

  #wrong(): Fault {
    return { message: this.#texts.wrong[this.#name], ofField: true }
  }

  #mark(wrong: boolean): void {
    if (wrong) this.#input.setAttribute('aria-invalid', 'true')
    else this.#input.removeAttribute('aria-invalid')
  }

  #tell(report: Report): void {
    this.#port.postMessage(report)
  }
}

/** Set through the object model, because the frame's policy forbids inline styles. */
function applyStyle({ style }: Welcome): void {
  const sheet = document.styleSheets[0]
  if (sheet === undefined) return
  for (const [selector, property, value] of filterStyle(style)) {
    const at = sheet.insertRule(`${targets[selector]} {}`, sheet.cssRules.length)
    const rule = sheet.cssRules[at]
    if (rule instanceof CSSStyleRule) rule.style.setProperty(property, value)
  }
}

/** The field's own check decides what is invalid; the browser's `:invalid` never applies here. */
const targets: Readonly<Record<Selector, string>> = {
  input: 'body input',
  '::placeholder': 'body input::placeholder',
  ':focus': 'body input:focus',
  ':invalid': 'body input[aria-invalid="true"]',
}

function heightOf(input: HTMLInputElement): number {
  const { marginTop, marginBottom } = getComputedStyle(input)
  return Math.ceil(input.offsetHeight + Number.parseFloat(marginTop) + Number.parseFloat(marginBottom))
}

/** Also clears what the browser would restore after going back. */
function clearOnLeaving(input: HTMLInputElement): void {
  addEventListener('pagehide', () => {
    input.value = ''
  })
}

/** From the payer's device; if its clock is wrong, the service refuses the value. */
function today(): string {
  return new Date(performance.timeOrigin + performance.now()).toISOString().slice(0, 10)
}

function isWelcome(data: unknown): data is Welcome {
  if (typeof data !== 'object' || data === null || Reflect.get(data, 'gatehouse') !== 'welcome') return false
  const texts = ['token', 'placeholder', 'language'].every((name) => typeof Reflect.get(data, name) === 'string')
  const style: unknown = Reflect.get(data, 'style')
  return texts && typeof style === 'object' && style !== null
}
