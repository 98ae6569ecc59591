/** One box for everything that a person may know of a payment. It states what it understood, and what else a word could mean. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { Input } from '../../kit/form/input.tsx'
import { hasCardNumber } from './card-numbers.ts'
import { readSearch, type SearchReading } from './search-words.ts'

interface SearchBoxProps {
  readonly value: string
  readonly onChange: (value: string) => void
}

/** Long enough to finish a word, short enough not to be noticed. */
const pauseMs = 400

export function SearchBox({ value, onChange }: SearchBoxProps): JSX.Element {
  const typed = useSignal(value)
  useEffect(() => {
    typed.value = value
  }, [value])
  const send = (text: string): void => {
    // The text becomes part of the page's address, where no card number may be.
    if (!hasCardNumber(text)) onChange(text.trim())
  }
  useEffect(() => {
    if (typed.value.trim() === value) return
    const timer = setTimeout(() => send(typed.value), pauseMs)
    return () => clearTimeout(timer)
  }, [typed.value])
  const reading = readSearch(typed.value)
  return (
    <div class="search-box">
      <label for="payment-search">Search</label>
      <Input
        id="payment-search"
        type="search"
        value={typed.value}
        placeholder="Last four, amount, order, e-mail, name or reference"
        spellcheck={false}
        autoComplete="off"
        aria-describedby="payment-search-read"
        aria-invalid={reading.ok ? undefined : 'true'}
        onInput={({ currentTarget }) => {
          typed.value = currentTarget.value
        }}
        onKeyDown={({ key }) => {
          if (key === 'Enter') send(typed.value)
        }}
      />
      <div id="payment-search-read" role="status">
        {hasCardNumber(typed.value) && !reading.ok && <p class="error">{reading.text}</p>}
        {reading.ok && <Understood reading={reading} onChoose={onChange} />}
      </div>
    </div>
  )
}

interface UnderstoodProps {
  readonly reading: Extract<SearchReading, { readonly ok: true }>
  readonly onChoose: (search: string) => void
}

function Understood({ reading, onChoose }: UnderstoodProps): JSX.Element | null {
  if (reading.texts.length === 0) return null
  return (
    <p class="faint">
      Searching by {reading.texts.join(', ')}.{' '}
      {reading.others.length > 0 && (
        <>
          Instead:{' '}
          {reading.others.map(({ text, search }, index) => (
            <span key={search}>
              {index > 0 && ' · '}
              <button type="button" class="text-button" onClick={() => onChoose(search)}>
                {text}
              </button>
            </span>
          ))}
        </>
      )}
    </p>
  )
}
