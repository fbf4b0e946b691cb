import { founding } from './founding.ts'
import { onSlack } from './grounds.ts'

founding('Slack', { model: 'scripted', ...onSlack })
