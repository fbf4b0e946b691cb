import { onDiscord } from './grounds.ts'
import { zhang } from './zhang.ts'

zhang('Discord', onDiscord)
