/** Notes and tags of the payment: what people want others to know, and words to find payments by. Chapter 70 §5. */
import type { JSX } from 'preact'
import { type Answer, call } from '../../api/call.ts'
import { type Read, useReading } from '../../api/use-reading.ts'
import { TextArea, TextField } from '../../kit/form/fields.tsx'
import { Form } from '../../kit/form/form.tsx'
import { useForm } from '../../kit/form/use-form.ts'
import { May } from '../../kit/may.tsx'
import { Section } from '../../kit/page.tsx'
import { Empty, ReadResult } from '../../kit/states.tsx'
import { toast } from '../../kit/toasts.tsx'
import { DateTime } from '../../kit/values/date-time.tsx'
import { Link } from '../../router/link.tsx'
import { may } from '../../session/session.ts'
import type { Details } from './details.ts'

type Annotations = Answer<'GET /merchants/:merchantId/payments/:paymentId/notes'>

interface NotesProps {
  readonly payment: { readonly merchantId: string; readonly paymentId: string }
  readonly read: Read<Annotations>
}

export function PaymentNotes({ details: { payment } }: { readonly details: Details }): JSX.Element {
  const params = { merchantId: payment.merchantId, paymentId: payment.id }
  const read = useReading('GET /merchants/:merchantId/payments/:paymentId/notes', { params })
  return (
    <ReadResult read={read} lines={4}>
      {(value) => (
        <>
          <Tags payment={params} read={read} tags={value.tags} />
          <Section title="Notes">
            <May use="payments.annotate">
              <NewNote payment={params} read={read} />
            </May>
            <NoteList notes={value.notes} />
          </Section>
        </>
      )}
    </ReadResult>
  )
}

function NoteList({ notes }: Pick<Annotations, 'notes'>): JSX.Element {
  if (notes.length === 0) return <Empty title="No notes yet." />
  return (
    <ul class="payment-notes">
      {notes.map(({ id, text, author, writtenAt }) => (
        <li key={id}>
          <p class="note-text">{text}</p>
          <p class="faint">
            {author}, <DateTime at={writtenAt} />
          </p>
        </li>
      ))}
    </ul>
  )
}

function NewNote({ payment, read }: NotesProps): JSX.Element {
  const form = useForm({
    initial: { text: '' },
    check: ({ text }) => ({ text: text.trim() === '' ? 'Write a note.' : null }),
    send: (body) => call('POST /merchants/:merchantId/payments/:paymentId/notes', { params: payment, body }),
    onDone: () => {
      form.reset({ text: '' })
      read.reload()
      toast('Note added.')
    },
  })
  return (
    <Form form={form} act="Add note">
      <TextArea
        label="New note"
        at={form.at('text')}
        rows={3}
        hint="Other users of the panel read it, payers do not. A note cannot be changed, and is erased with the payer’s data."
      />
    </Form>
  )
}

interface TagsProps extends NotesProps {
  readonly tags: readonly string[]
}

function Tags({ payment, read, tags }: TagsProps): JSX.Element {
  const form = useForm({
    initial: { tags: tags.join(', ') },
    check: () => ({}),
    send: (values) =>
      call('PUT /merchants/:merchantId/payments/:paymentId/tags', {
        params: payment,
        body: { tags: wordsOf(values.tags) },
      }),
    onDone: (saved) => {
      // As they are stored: in small letters, sorted and without repetitions.
      form.reset({ tags: saved.tags.join(', ') })
      read.reload()
      toast('Tags saved.')
    },
  })
  return (
    <Section title="Tags">
      {tags.length > 0 && (
        <ul class="payment-tags" aria-label="Tags">
          {tags.map((tag) => (
            <li key={tag}>
              <Link to={`/payments?tag=${encodeURIComponent(tag)}`}>{tag}</Link>
            </li>
          ))}
        </ul>
      )}
      {may('payments.annotate') ? (
        <Form form={form} act="Save tags" always={false}>
          <TextField
            label="Tags"
            at={form.at('tags')}
            hint="Words separated by commas, such as refund-call, vip. Payments can be searched by them."
          />
        </Form>
      ) : (
        tags.length === 0 && <Empty title="No tags." />
      )}
    </Section>
  )
}

const wordsOf = (text: string): readonly string[] =>
  text
    .split(/[,\s]+/)
    .map((word) => word.trim())
    .filter((word) => word !== '')
