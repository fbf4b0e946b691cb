// The same expectations with the services that the environment names: startTestApp uses them.
import '../../agent/turn.test.ts'
import '../../contract/web.test.ts'
