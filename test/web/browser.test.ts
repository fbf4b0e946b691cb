import { expect, it } from 'vitest'
import { browserPath, noBrowser } from '../support/browser.ts'

// The tests of the page (`*.browser.test.ts`) are left out where there is no browser; this one says so.
it('says whether the page is tested in a browser here', () => {
  const path = browserPath()
  console.info(path ? `The page is tested in ${path}.` : noBrowser)
  expect(path === undefined || path.length > 0).toBe(true)
})
