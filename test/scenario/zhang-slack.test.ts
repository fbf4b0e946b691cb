import { onSlack } from './grounds.ts'
import { zhang } from './zhang.ts'

zhang('Slack', onSlack)
