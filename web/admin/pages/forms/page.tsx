/** SDK forms: merchants' own forms for the hosted page, and the review that decides which may run (chapter 30 §9.4). */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import type { Answer } from '../../api/call.ts'
import { useMerchants } from '../../api/merchants.ts'
import { useReading } from '../../api/use-reading.ts'
import { Status } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { type Column, DataTable, pageOfRead } from '../../kit/data-table.tsx'
import { FilterBar } from '../../kit/form/filter-bar.tsx'
import { useFilters } from '../../kit/form/use-filters.ts'
import { May } from '../../kit/may.tsx'
import { Page } from '../../kit/page.tsx'
import { Empty } from '../../kit/states.tsx'
import { countText } from '../../kit/values/count-text.ts'
import { DateTime } from '../../kit/values/date-time.tsx'
import { FormDrawer } from './form-drawer.tsx'
import { UploadDialog } from './upload-dialog.tsx'

type SdkForm = Answer<'GET /forms'>['forms'][number]

const states = ['in review', 'draft', 'approved', 'withdrawn'] as const

export function FormsPage(): JSX.Element {
  const merchants = useMerchants()
  const filters = useFilters(['state', 'merchantId'])
  const state = states.find((one) => one === filters.values.state)
  const read = useReading('GET /forms', { query: { state } })
  const looking = useSignal<Pick<SdkForm, 'id' | 'merchantId'> | null>(null)
  const isUploading = useSignal(false)
  const lookAt = (form: SdkForm | null) => () => {
    looking.value = form
  }
  const open = (isOpen: boolean) => () => {
    isUploading.value = isOpen
  }
  const isOfMerchant = ({ merchantId }: SdkForm): boolean =>
    filters.values.merchantId === '' || merchantId === filters.values.merchantId
  return (
    <Page
      title="SDK forms"
      actions={
        <May use="branding.write">
          <Button kind="primary" icon="plus" onClick={open(true)}>
            Upload form
          </Button>
        </May>
      }
    >
      <FilterBar
        filters={filters}
        fields={[
          {
            kind: 'choice',
            name: 'state',
            label: 'State',
            options: states.map((one) => ({ value: one, text: one })),
          },
          { kind: 'choice', name: 'merchantId', label: 'Merchant', options: merchants.choices, any: 'All merchants' },
        ]}
      />
      <DataTable
        caption="SDK forms"
        list={pageOfRead(read, ({ forms }) => forms.filter(isOfMerchant).toSorted(waitingFirst))}
        keyOf={({ id }) => id}
        columns={columnsWith(merchants.title, (form) => lookAt(form)())}
        empty={<NoForms isFiltered={filters.count > 0} />}
      />
      {looking.value && <FormDrawer place={looking.value} onChanged={read.reload} onClose={lookAt(null)} />}
      {isUploading.value && (
        <UploadDialog
          merchantId={filters.values.merchantId}
          onClose={open(false)}
          onDone={(form) => {
            isUploading.value = false
            read.reload()
            looking.value = form
          }}
        />
      )}
    </Page>
  )
}

/** Forms that wait for a review come first, because they need an action. */
const waitingFirst = (one: SdkForm, other: SdkForm): number =>
  Number(other.state === 'in review') - Number(one.state === 'in review')

const NoForms = ({ isFiltered }: { readonly isFiltered: boolean }): JSX.Element =>
  isFiltered ? (
    <Empty title="No forms match these filters." />
  ) : (
    <Empty title="No forms yet.">
      <p>
        A form is an archive with one HTML file and its images, styles and scripts. Once it is approved, sessions with
        its form_id show it instead of the standard page.
      </p>
    </Empty>
  )

function columnsWith(
  titleOf: (merchantId: string) => string,
  look: (form: SdkForm) => void,
): readonly Column<SdkForm>[] {
  return [
    { title: 'Form', cell: ({ formId }) => <span class="mono">{formId}</span> },
    { title: 'Version', cell: ({ version }) => countText(version), end: true },
    { title: 'State', cell: ({ state }) => <Status of={state} /> },
    { title: 'Merchant', cell: ({ merchantId }) => titleOf(merchantId) },
    { title: 'Uploaded', cell: ({ uploadedAt }) => <DateTime at={uploadedAt} />, minor: true, whole: true },
    { title: 'Changed by', cell: ({ changedBy }) => changedBy, minor: true },
    {
      title: 'Actions',
      end: true,
      cell: (form) => (
        <Button small onClick={() => look(form)}>
          View
        </Button>
      ),
    },
  ]
}
