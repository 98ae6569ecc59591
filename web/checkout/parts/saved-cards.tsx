/** The payer's saved cards, masked, and a way to use another card. Chapter 30 §7.5. */
import type { JSX } from 'preact'
import { networkName } from '#domain/network-names.ts'
import { NetworkMark } from '../marks/network-mark.tsx'
import type { SavedCardView } from '../page-api.ts'
import { chosenCard, complaints, forgetCard, phase, session } from '../state/session.ts'
import { leftToRight, say } from '../state/texts.ts'

export function SavedCards(): JSX.Element | null {
  const cards = session.value?.card_tokens ?? []
  if (cards.length === 0) return null
  const locked = phase.value.at === 'paying'
  return (
    <fieldset class="choices">
      <legend>{say('savedCards')}</legend>
      <div class="box">
        {cards.map((card) => (
          <label key={card.token} class={card.expired ? 'choice disabled' : 'choice'}>
            <input
              type="radio"
              name="saved-card"
              checked={chosenCard.value === card.token}
              disabled={card.expired || locked}
              onChange={() => choose(card.token)}
            />
            <NetworkMark network={card.brand} isDecoration />
            <CardLine card={card} />
          </label>
        ))}
        <label class="choice">
          <input
            type="radio"
            name="saved-card"
            checked={chosenCard.value === null}
            disabled={locked}
            onChange={() => choose(null)}
          />
          <span class="choice-title">{say('otherCard')}</span>
        </label>
      </div>
    </fieldset>
  )
}

function CardLine({ card }: { readonly card: SavedCardView }): JSX.Element {
  const expiry = expiryText(card)
  return (
    <span class="saved">
      <span>{say('savedCard', { network: networkName(card.brand), last: leftToRight(card.last) })}</span>{' '}
      {expiry !== null && <span class="quiet">{expiry}</span>}
    </span>
  )
}

/** A payer who is asked for the expiry, to prove that the card is at hand, must not read it here. */
function expiryText({ expired, asks, month, year }: SavedCardView): string | null {
  if (expired) return say('cardExpired')
  if (asks.includes('expiry')) return null
  return say('expires', { date: leftToRight(`${String(month).padStart(2, '0')}/${String(year).slice(-2)}`) })
}

/** Input for one card must not be used for another. */
function choose(token: string | null): void {
  chosenCard.value = token
  complaints.value = {}
  forgetCard()
}
