import { freshEmbedded } from '../support/database.ts'
import { describeKills } from './kills.ts'

// One of every kind that matters; those of one line happen in one conversation, one after the other. The
// committed steps are: 1 begun, 2 read proposed, 3 read begins, 4 read done, 5 write proposed, 6 waiting,
// 7 write begins, 8 write done, 9 resumed, 10 answered, 11 done. A restart begins to count anew.
describeKills('with the embedded database', freshEmbedded, [
  ['after event accepted 1', 'after lease taken 1', 'before step committed 1'],
  ['after step committed 1', 'after model 1', 'after step committed 2', 'before step committed 2'],
  ['after step committed 5', 'after delivery reserved 1', 'after decision 1'],
  ['before ticket created 1', 'after ticket created 1', 'before step committed 2'],
])

// A gateway and a worker, each a process of its own: either is killed, and the third time both are.
describeKills(
  'where gateway and worker are apart',
  freshEmbedded,
  [['after event accepted 1', 'before step committed 2', 'after decision 1']],
  { apart: true },
)
