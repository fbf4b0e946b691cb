/** What people call a ticket's status and priority. */
export const ticketValues = {
  en: {
    open: 'Open',
    in_progress: 'In progress',
    resolved: 'Resolved',
    closed: 'Closed',
    low: 'Low',
    normal: 'Normal',
    high: 'High',
    urgent: 'Urgent',
  },
  zh: {
    open: '待处理',
    in_progress: '处理中',
    resolved: '已解决',
    closed: '已关闭',
    low: '低',
    normal: '普通',
    high: '高',
    urgent: '紧急',
  },
} as const
