/** The kinds of channels to which alerts are sent. */
export const channelKinds = ['mail', 'webhook', 'chat'] as const
export type ChannelKind = (typeof channelKinds)[number]
