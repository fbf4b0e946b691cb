import { contract } from './contract.ts'

// Slack by signed HTTP differs from Socket Mode in how events, clicks and forms come in, and in nothing after that.
contract({ way: 'slack by http', beginnings: ['a mention in a channel'], crowd: true, only: 'coming in' })
