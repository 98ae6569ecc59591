/** The frame of every page: breadcrumbs, heading and actions. Keyboard focus moves to the heading. */
import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Link } from '../router/link.tsx'

interface PageProps {
  readonly title: string
  /** The breadcrumbs, outermost first: label and address. */
  readonly above?: readonly (readonly [words: string, to: string])[]
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}

/** On the first page of a visit the focus stays where the browser puts it. */
let pagesShown = 0

export function Page({ title, above = [], actions, children }: PageProps): JSX.Element {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    pagesShown += 1
    if (pagesShown > 1) heading.current?.focus({ preventScroll: true })
    window.scrollTo(0, 0)
  }, [])
  useEffect(() => {
    document.title = `${title} · Gatehouse`
  }, [title])
  return (
    <>
      {above.length > 0 && (
        <nav class="crumbs" aria-label="Breadcrumbs">
          <ol>
            {above.map(([words, to]) => (
              <li key={to}>
                <Link to={to}>{words}</Link>
              </li>
            ))}
            <li aria-current="page">{title}</li>
          </ol>
        </nav>
      )}
      <div class="page-head">
        <h1 ref={heading} tabIndex={-1} title={title}>
          {title}
        </h1>
        {actions && <div class="page-actions">{actions}</div>}
      </div>
      <div class="stack">{children}</div>
    </>
  )
}

interface SectionProps {
  readonly title?: string
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}

/** A part of a page with its own background. */
export function Section({ title, actions, children }: SectionProps): JSX.Element {
  return (
    <section class="section">
      {(title || actions) && (
        <div class="section-head">
          {title && <h2>{title}</h2>}
          {actions && <div class="page-actions">{actions}</div>}
        </div>
      )}
      {children}
    </section>
  )
}

/** Sections side by side where there is room. */
export const Columns = ({ children }: { readonly children: ComponentChildren }): JSX.Element => (
  <div class="columns">{children}</div>
)
