import { afterAll, beforeAll, describe } from 'vitest'
import { answering } from './answering.ts'
import { approving } from './approving.ts'
import { asking } from './asking.ts'
import { commanding } from './commanding.ts'
import { coping } from './coping.ts'
import { deciding } from './deciding.ts'
import { handingOver } from './handing-over.ts'
import { joining } from './joining.ts'
import { openStage, type Place, type Stage } from './stage.ts'

/** The expectations of all channels, on one of them. */
export function contract(place: Place): void {
  describe(`Hermes on ${place.way}`, { timeout: 90_000 }, () => {
    let stage: Stage
    beforeAll(async () => {
      stage = await openStage(place.way)
    }, 120_000)
    afterAll(async () => {
      await stage.stop()
    }, 60_000)
    answering(place, () => stage)
    deciding(place, () => stage)
    asking(place, () => stage)
    if (place.only === undefined) {
      approving(place, () => stage)
      coping(place, () => stage)
      handingOver(() => stage)
      commanding(place, () => stage)
      if (place.crowd) joining(() => stage)
    }
  })
}
