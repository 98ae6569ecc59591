/** The merchant's name, the remaining time and the language. Chapter 30 §7.1, §7.6, §7.8. */
import type { JSX } from 'preact'
import { languageOf, languages } from '#domain/place/language.ts'
import { timeLeftText } from '../../kit/texts-of-values.ts'
import { secondsLeft, secondsShown } from '../state/clock.ts'
import { isOpen } from '../state/phase.ts'
import { phase, session } from '../state/session.ts'
import { language, say } from '../state/texts.ts'

export function Header({ onLanguage }: { readonly onLanguage: (code: string) => void }): JSX.Element {
  const branding = session.value?.branding
  return (
    <header>
      {branding?.logo ? (
        <img class="logo" src={branding.logo} alt={branding.merchant} />
      ) : (
        <p class="merchant">{branding?.merchant}</p>
      )}
      <Countdown />
      <LanguageMenu onLanguage={onLanguage} />
    </header>
  )
}

function Countdown(): JSX.Element | null {
  const left = secondsLeft.value
  if (left === null || left > secondsShown || !isOpen(phase.value)) return null
  return (
    <p class={left <= 60 ? 'countdown last' : 'countdown'}>
      <span class="unseen">{say('timeLeft')}: </span>
      <ClockIcon />
      <bdi role="timer" dir="ltr" aria-live="off">
        {timeLeftText(left)}
      </bdi>
    </p>
  )
}

const ClockIcon = (): JSX.Element => (
  <svg
    aria-hidden="true"
    viewBox="0 0 16 16"
    width="16"
    height="16"
    fill="none"
    stroke="currentColor"
    stroke-width="1.5"
  >
    <circle cx="8" cy="8" r="6.25" />
    <path d="M8 4.5V8l2.25 1.75" stroke-linecap="round" stroke-linejoin="round" />
  </svg>
)

function LanguageMenu({ onLanguage }: { readonly onLanguage: (code: string) => void }): JSX.Element {
  return (
    <div class="languages">
      <label for="language" class="unseen">
        {say('language')}
      </label>
      <div class="input select">
        <select
          id="language"
          value={language.value.code}
          disabled={phase.value.at === 'paying'}
          onChange={({ currentTarget }) => onLanguage(languageOf(currentTarget.value))}
        >
          {languages.map(({ code, nativeName, tag }) => (
            <option key={code} value={code} lang={tag}>
              {nativeName}
            </option>
          ))}
        </select>
      </div>
    </div>
  )
}
