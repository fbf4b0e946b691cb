import type { ModelStandIn } from './model.ts'

/** Has the stand-in answer what is asked after a turn (what is worth remembering?), so that scripts are about turns only. */
export function answerLearning(model: ModelStandIn, found: string = '[]'): void {
  model.script((body) => (body.tools === undefined ? { text: found } : undefined))
}
