/** The whole panel: the sign-in page, or the page of the current address for a signed-in user. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { Button } from '../kit/button.tsx'
import { FaultView } from '../kit/fault-view.tsx'
import { Page } from '../kit/page.tsx'
import { Empty, Notice, Skeleton } from '../kit/states.tsx'
import { Toasts } from '../kit/toasts.tsx'
import { type PageComponent, pageLoaders } from '../pages/index.ts'
import { type PageRow, pages } from '../pages/page-table.ts'
import { ChoosePasswordPage } from '../pages/sign-in/choose-password.tsx'
import { ConfirmSignUpPage } from '../pages/sign-in/confirm-sign-up.tsx'
import { SignInPage } from '../pages/sign-in/page.tsx'
import { SignUpPage } from '../pages/sign-in/sign-up.tsx'
import { currentAddress, go } from '../router/current-address.ts'
import { Link } from '../router/link.tsx'
import { match, type Params } from '../router/match.ts'
import {
  addressAfterSignIn,
  choosePasswordPath,
  confirmSignUpPath,
  currentAddressText,
  entry,
  loadSession,
  signInPath,
  signUpPath,
} from '../session/session.ts'
import { IdleWarning } from './idle-warning.tsx'
import { LeaveQuestion } from './leave-question.tsx'
import { isVisible } from './navigation.tsx'
import { Shell } from './shell.tsx'
import { StepUpDialog } from './step-up-dialog.tsx'

const accountPath = '/account'

export function App(): JSX.Element {
  return (
    <>
      <SignedInApp />
      <LeaveQuestion />
      <StepUpDialog />
      <IdleWarning />
      <Toasts />
    </>
  )
}

/** Reached by links, with or without a session. */
const openPages: Readonly<Record<string, () => JSX.Element>> = {
  [choosePasswordPath]: ChoosePasswordPage,
  [signUpPath]: SignUpPage,
  [confirmSignUpPath]: ConfirmSignUpPage,
}

function SignedInApp(): JSX.Element {
  const here = entry.value
  const OpenPage = openPages[currentAddress.value.path]
  if (OpenPage !== undefined) return <OpenPage />
  switch (here.state) {
    case 'asking':
      return <Skeleton />
    case 'failed':
      return (
        <main class="alone">
          <h1>Gatehouse</h1>
          <FaultView fault={here.fault} onRetry={() => void loadSession()} />
        </main>
      )
    case 'out':
      return <SignInPage />
    case 'in':
      return (
        <Shell>
          <PageRouter isOnDuty={here.session.duty !== null} />
        </Shell>
      )
  }
}

/** A user who must choose a password or set up a second factor does that first, and then reaches the requested page. */
function PageRouter({ isOnDuty }: { readonly isOnDuty: boolean }): JSX.Element {
  const { path, query } = currentAddress.value
  const isSentBack = path === accountPath && !isOnDuty && query.has('next')
  const isLost = path === signInPath || isSentBack || (isOnDuty && path !== accountPath)
  useEffect(() => {
    if (!isLost) return
    if (path === signInPath || isSentBack) go(addressAfterSignIn(), { replace: true, stay: true })
    else go(`${accountPath}?next=${encodeURIComponent(currentAddressText())}`, { replace: true, stay: true })
  }, [path, isLost])
  if (isLost) return <Skeleton />

  const found = pageAt(path)
  if (found === null || (found.page.sandboxOnly && !isVisible(found.page))) return <NotFound />
  if (!isVisible(found.page)) return <NoPermission />
  // Keyed by address, so that a page never shows the data of another one.
  return <PageView key={path} {...found} />
}

interface PageMatch {
  readonly page: PageRow
  readonly params: Params
}

function pageAt(path: string): PageMatch | null {
  for (const page of pages) {
    const params = match(page.path, path)
    if (params !== null) return { page, params }
  }
  return null
}

const loadedPages = new Map<PageRow, PageComponent>()

function PageView({ page, params }: PageMatch): JSX.Element {
  const component = useSignal<PageComponent | null>(loadedPages.get(page) ?? null)
  const failed = useSignal(false)
  useEffect(() => {
    if (component.value !== null) return
    pageLoaders[page.page]().then(
      (loaded) => {
        loadedPages.set(page, loaded)
        component.value = loaded
      },
      () => {
        failed.value = true
      },
    )
  }, [])
  if (failed.value) return <OutdatedNotice title={page.title} />
  const Component = component.value
  return Component === null ? <Skeleton lines={8} /> : <Component params={params} />
}

/** After an upgrade the bundles of the previous release no longer exist. */
const OutdatedNotice = ({ title }: { readonly title: string }): JSX.Element => (
  <Page title={title}>
    <Notice tone="warn">
      <p>This page could not be loaded. There may be a new version.</p>
      <Button kind="primary" onClick={() => window.location.reload()}>
        Reload
      </Button>
    </Notice>
  </Page>
)

const NotFound = (): JSX.Element => (
  <Page title="Page not found">
    <Empty title="No page at this address.">
      <Link to="/">Go to the dashboard</Link>
    </Empty>
  </Page>
)

const NoPermission = (): JSX.Element => (
  <Page title="No permission">
    <Empty title="Your role does not include this page.">
      <p>Ask an owner of this instance if you need it.</p>
      <Link to="/account">Your account</Link>
    </Empty>
  </Page>
)
