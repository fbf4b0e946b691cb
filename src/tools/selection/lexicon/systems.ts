import type { Sense } from './sense.ts'

/** What people who build and run software work with. */
export const systems: readonly Sense[] = [
  [
    'search code source',
    'code, source code, function, class, codebase, where do we call, used in the code, who still uses, where is ~ defined',
    '代码 源码 函数 源代码 哪里用到 哪里调用 谁在用 代码里',
  ],
  [
    'search repositories github',
    'repositories, repository, repos, on github, has anyone built',
    '代码仓库 代码库 github 建过~仓库',
  ],
  ['repository', 'repo', '仓库'],
  [
    'list commits branch',
    'commit, commits, committed, recent changes, what changed on, history of',
    '提交记录 提交 谁改了 最近改了 改动',
  ],
  ['branch', 'branch', '分支'],
  [
    'create branch',
    'new branch, branch off, somewhere to work on, off release, off main, cut a branch',
    '拉个分支 拉分支 开分支 建个分支 从~拉 切个分支 开个分支',
  ],
  ['pull request', 'pull request, pull requests, pr, prs, merge request', '合并请求 拉取请求 pr'],
  [
    'list pull requests open',
    'waiting for review, waiting for ~ review, prs open, open prs, not merged, unreviewed, still to review',
    '没合的 待评审 没合并 等评审 还没合 没人看',
  ],
  [
    'get pull request reviews checks diff',
    'reviewed yet, approved yet, checks of, diff of, changes in pr',
    '评审过 审过 改了什么 检查通过',
  ],
  [
    'create pull request branch',
    'up for review, open a pr, ready for review, send ~ for review, review against',
    '提个pr 提pr 提合并 开个pr 提交评审 发起合并 提~合并请求',
  ],
  ['merge pull request', 'merge, merged into, get it in', '合进 合并 并入 合入 合了吧 合到 合掉'],
  [
    'build builds pipeline',
    'build, builds, pipeline, ci, compile, test run, nightly',
    '构建 编译 流水线 打包 ci',
  ],
  [
    'list builds passed',
    'green, red, passing, did the build, last build, builds pass, tests pass',
    '绿不绿 跑通 通过了吗 过了没 红了 绿了 是绿的',
  ],
  [
    'get build log failed',
    'why did ~ fail, why ~ red, why ~ break, failed build, build failed, go red, went red, reason for the failure',
    '构建失败 失败原因 构建日志 怎么失败 怎么挂 为什么红 挂在哪 号构建 构建~日志',
  ],
  [
    'trigger build start',
    'start a build, run the build, build it again, rebuild, run the pipeline, kick off',
    '跑~构建 构建一下 重新构建 跑流水线 触发构建 再跑一次',
  ],
  [
    'deploy release environment staging production',
    'deploy, ship it, ship, go live, put ~ live, roll out, roll ~ out, get it out to, push ~ to production, into production, onto staging, out to prod, bring ~ to staging',
    '部署到 上线 部署 发版 推到生产 推上去 发到生产 发到预发 发布 上到 发到线上',
  ],
  ['deployment', 'deployment', '部署 deployment'],
  ['release version', 'version, release', '版本'],
  ['staging environment', 'staging, test environment', '预发布 测试环境 预发'],
  [
    'rollback release before',
    'roll back, rollback, roll ~ back, revert, previous version, go back to the version, last good version, undo the release, old version back',
    '回滚 回退 退回到 退回上 上一个版本 上一版 撤回发布 恢复到上',
  ],
  ['production environment', 'production, prod, live system', '生产环境 生产 线上 正式环境'],
  [
    'search logs service',
    'logs, log lines, stack trace, error message, in the log, write anything about, logged',
    '日志 堆栈 报错信息 报错 错误日志',
  ],
  [
    'list alerts firing service',
    'alert, alerts, alarm, alarms, firing, paging us, what is broken, wrong with production, going off',
    '告警 报警 警报 预警 在响 有没有异常',
  ],
  [
    'query metric latency errors cpu',
    'metric, metrics, latency, error rate, errors, cpu, load on, traffic, response time, how fast, memory usage, requests per, how slow, slow, throughput, how busy',
    '指标 延迟 错误率 出错 响应时间 负载 流量 多慢 有点慢 内存占用 占用率 出了多少错 监控 吞吐',
  ],
  [
    'silence alert',
    'silence, mute, quiet, snooze, shut up, stop paging, stop ringing',
    '静音 屏蔽 别响 消音 消停 先别报 安静 免打扰 响个不停 别再响 别报',
  ],
  [
    'scale deployment replicas',
    'scale, replica, replicas, instances of, more capacity, more copies, scale up, scale down',
    '扩容 缩容 副本 加机器 扩到 缩到 加到~副本 加到~个',
  ],
  ['list pods namespace', 'pod, pods, container, containers, namespace', '容器 命名空间 pod pods'],
  ['restart deployment', 'restart, reboot, bounce, off and on again, in the cluster', '重启 重新拉起'],
  [
    'list tables database columns',
    'database, tables, table, schema, columns',
    '数据库 数据表 有哪些表 表结构 字段 哪些列',
  ],
  [
    'run query sql warehouse data',
    'warehouse, sql, query, sales by, revenue, figures for, number of users, how many users, how many customers, statistics, turnover, per country, per month, by region, signed up, count ~ in the',
    '数据仓库 数仓 查数 销售额 营业额 跑个数 跑个sql 用户数 统计 按月 营收 新增用户 sql',
  ],
  ['server host', 'server, host, vm', '服务器 主机'],
  ['network', 'network, dns, vpn, wifi', '网络 域名'],
  ['certificate secret', 'certificate', '证书 密钥'],
  ['backup restore', 'backup, restore', '备份 恢复'],
  ['feature flag', 'feature flag', '灰度'],
  ['dashboard chart', 'dashboard, chart', '仪表盘 图表 看板'],
  ['on-call rota', 'on call, on duty, rota', '值班 轮值'],
]
