// The same expectations with the services that the environment names: startTestApp uses them.
import '../../contract/discord.test.ts'
