import { founding } from './founding.ts'
import { onDiscord } from './grounds.ts'

founding('Discord', { model: 'scripted', ...onDiscord })
