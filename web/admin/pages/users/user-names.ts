/** User names by id, for viewers who may see users; others see the beginning of the id. */
import { useReading } from '../../api/use-reading.ts'
import { may, session } from '../../session/session.ts'

export function useUserNames(): (id: string) => string {
  const read = useReading('GET /users', { when: may('users.read') })
  const own = session.value?.user
  return (id) => {
    if (id === own?.id) return `${own.name} (you)`
    return read.value?.users.find((user) => user.id === id)?.name ?? id.slice(0, 8)
  }
}
