import { useLocation, useRoute } from 'preact-iso'
import { useAnswer } from '../../api/use-answer.ts'
import { staff } from '../../staff/api.ts'
import { Failure } from '../../ui/failure.tsx'
import { Frame } from '../frame.tsx'
import { paths } from '../paths.ts'
import { remembered } from '../sign-in/worker.ts'

/** Where the stickers of packed orders are printed: chosen once a device. */
export function Station() {
  const { route } = useLocation()
  const { query } = useRoute()
  const back = query.back?.startsWith(`${paths.home}/`) ? query.back : paths.home
  const stations = useAnswer('stations', (signal) =>
    staff('GET /print-stations', { query: { active: 'true' }, signal }),
  )
  const fitting = stations.data?.items.filter(({ formats }) => formats.includes('58x40'))
  const choose = (station: { id: string; name: string } | undefined) => {
    remembered.station.set(station)
    route(back)
  }
  return (
    <Frame title="Где печатать этикетки" back={back}>
      <div class="home">
        <Failure error={stations.error} retry={stations.reload} />
        {fitting?.map(({ id, name }) => (
          <button key={id} type="button" class="wide" onClick={() => choose({ id, name })}>
            {name}
          </button>
        ))}
        {fitting?.length === 0 && <p class="quiet">Станций печати нет, их заводит менеджер</p>}
        <button type="button" class="wide" onClick={() => choose(undefined)}>
          Не печатать, показывать на экране
        </button>
      </div>
    </Frame>
  )
}
