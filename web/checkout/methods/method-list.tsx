/** The methods as a list, each with its form below it; a single method is shown without a list. Chapter 30 §7.1. */
import type { JSX } from 'preact'
import { MethodMark } from '../marks/method-mark.tsx'
import type { MethodView } from '../page-api.ts'
import { chosenMethod, complaints, forgetCard, listedMethods, method, phase, session } from '../state/session.ts'
import { submit } from '../state/submit.ts'
import { say } from '../state/texts.ts'
import { MethodForm } from './method-form.tsx'

export function MethodList(): JSX.Element | null {
  const all = listedMethods.value
  if (all.length === 0) return null
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        // The press does not move the focus (see the button), so it is moved here; otherwise a phone would keep its keyboard open.
        event.submitter?.focus({ preventScroll: true })
        void submit()
      }}
    >
      {all.length === 1 ? method.value && <SingleMethod method={method.value} /> : <Choices all={all} />}
    </form>
  )
}

/** Saved cards have a heading of their own. */
function SingleMethod({ method }: { readonly method: MethodView }): JSX.Element {
  const isCard = method.kind === 'card'
  const hasHeading = !isCard || session.value?.card_tokens.length === 0
  return (
    <>
      {hasHeading && <h2 class="method-title">{isCard ? say('cardDetails') : (method.title ?? method.code)}</h2>}
      <MethodForm method={method} />
    </>
  )
}

function Choices({ all }: { readonly all: readonly MethodView[] }): JSX.Element {
  return (
    <fieldset class="choices methods">
      <legend>{say('methods')}</legend>
      <div class="box">
        {all.map((one) => {
          const chosen = one.code === chosenMethod.value
          return (
            <div key={one.code} class={chosen ? 'method chosen' : 'method'}>
              <label class="choice">
                <input
                  type="radio"
                  name="method"
                  // The title alone names the choice; the marks beside it are read on their own.
                  aria-labelledby={`method-${one.code}`}
                  checked={chosen}
                  disabled={phase.value.at === 'paying'}
                  onChange={() => choose(one)}
                />
                <span class="choice-title" id={`method-${one.code}`}>
                  {one.kind === 'card' ? say('card') : (one.title ?? one.code)}
                </span>
                <MethodMark method={one} />
              </label>
              {chosen && <MethodForm method={one} />}
            </div>
          )
        })}
      </div>
    </fieldset>
  )
}

function choose({ code }: MethodView): void {
  chosenMethod.value = code
  complaints.value = {}
  forgetCard()
}
