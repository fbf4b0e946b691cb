import { randomBytes } from 'node:crypto'
import type { Clock } from '../../src/base/clock.ts'
import type { Form } from '../../src/channel/card.ts'

/** A form as it was last filled in, with the fields that were shown. */
interface KeptForm {
  readonly form: Form
  readonly shown: readonly string[]
  readonly messageId?: string
}

/** As long as an interaction's token lives, which is how long a person may take over a form. */
const life = 15 * 60_000
const most = 500

/**
 * Forms that wait for a second press, since Discord lets no form open in answer to a form: what a person typed
 * is kept for them meanwhile. After a restart they begin from what is stored.
 */
export class KeptForms {
  readonly #clock: Clock
  readonly #forms = new Map<string, KeptForm & { readonly until: number }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  keep(form: KeptForm): string {
    const now = this.#clock.monotonic()
    for (const [key, { until }] of this.#forms) {
      if (until >= now && this.#forms.size < most) break
      this.#forms.delete(key)
    }
    const key = randomBytes(6).toString('base64url')
    this.#forms.set(key, { ...form, until: now + life })
    return key
  }

  find(key: string): KeptForm | undefined {
    const kept = this.#forms.get(key)
    return kept && kept.until >= this.#clock.monotonic() ? kept : undefined
  }
}
