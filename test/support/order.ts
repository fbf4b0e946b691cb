import { BaseSequencer, type TestSpecification } from 'vitest/node'

// Files that take long, the longest first, half of them because they wait for what takes its time.
const long = [
  'recovery/kills',
  'recovery/outage',
  'recovery/workers',
  'recovery/restart',
  'web/page.browser',
  'contract/discord',
  'contract/slack',
  'tools/approvals',
  'store/embedded-life',
  'store/embedded-load',
  'contract/web',
  'mcp/connect',
  'commands/doctor',
]

/** Begins with the files that take long, so that none of them runs alone at the end; vitest would go by their size. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = long.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`))
      return place < 0 ? long.length : place
    }
    // Within these, and for the rest, as vitest has it: by the durations of the last run where it knows them.
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}
