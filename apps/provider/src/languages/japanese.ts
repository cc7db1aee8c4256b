import type { Catalogue } from './texts.ts';

export const japanese: Catalogue = {
  direction: 'ltr',
  texts: {
    player: {
      course: 'コース',
      contents: '目次',
      previous: '前へ',
      continue: '次へ',
      endCourse: 'コースを終了',
      exit: '退出',
      goBack: '戻る',
      needsJavaScript: 'このコースには JavaScript が必要です。',
      review: '復習モード：記録されません',
      saved: '保存しました',
      notSaved: 'まだ保存されていません。再試行しています…',
      choosePart: 'コースの項目を選択してください。',
      partEnded: 'この項目は終了しました。別の項目を選択するか、「退出」でコースを終えてください。',
      unreachable:
        'コースに接続できません。接続を確認してから、このページを再読み込みしてください。',
      opener: {
        open: 'コースを開く',
        opens: 'コースは新しいウィンドウで開きます。',
        isOpen: 'コースは別のウィンドウで開いています。',
        closed: 'コースのウィンドウが閉じられました。',
        blocked: 'ブラウザーがコースのウィンドウを開きませんでした。ここから開いてください。',
      },
      confirmExit: {
        question: 'この項目は終了しました。コースを退出しますか？',
        leave: 'コースを退出',
        stay: 'とどまる',
      },
      offline: {
        cause: 'コースに接続できません。',
        savedUntil: '{time} までの結果は保存されています。',
        unsaved: { other: '{count} 件の結果がまだ保存されていません。' },
        allSaved: '結果はすべて保存されています。',
        goesOn:
          '接続を再試行し、つながると自動的に続行します。このウィンドウを開いたままにしてください。',
      },
      statuses: {
        notStarted: '未開始',
        inProgress: '学習中',
        completed: '完了',
        passed: '合格',
        failed: '不合格',
      },
      refusals: {
        unavailable: 'この項目は今回の受講には含まれていません。',
        notChoosable: 'この項目には「次へ」と「前へ」で移動します。',
        hidden: 'この項目は現在選択できません。',
        disabled: 'この項目は現在利用できません。',
        noAttemptsLeft: 'この項目の受講回数の上限に達しました。',
        noFlow: '目次から項目を選択してください。',
        forwardOnly: 'このコースでは前の項目に戻れません。',
        stopped: '先に前の項目を終える必要があります。',
        choiceExit: '先に開いている項目を終える必要があります。',
        preventActivation: 'この項目には前の項目から移動します。',
        constrained: '開いている項目の前後の項目だけを選択できます。',
        nothingThere: 'この先に項目はありません。',
        prerequisites: '先にほかの項目を完了する必要があります。',
        notNow: '現在この操作はできません。',
      },
      endings: {
        completed: {
          title: 'コースを完了しました',
          text: '結果は保存されました。このウィンドウを閉じてかまいません。',
        },
        failed: {
          title: 'コースは不合格でした',
          text: '結果は保存されました。このウィンドウを閉じてかまいません。',
        },
        suspended: {
          title: 'コースから退出しました',
          text: '進捗は保存されました。続けるには、コースをもう一度開いてください。このウィンドウを閉じてかまいません。',
        },
        review: {
          title: 'コースから退出しました',
          text: '復習モードのため、何も記録されていません。このウィンドウを閉じてかまいません。',
        },
        left: {
          title: 'コースから退出しました',
          text: '結果は保存されました。このウィンドウを閉じてかまいません。',
        },
      },
      stops: {
        openElsewhere: {
          title: 'このウィンドウは終了しました',
          text: 'コースは別のウィンドウで開き直されたか、終了されました。そのウィンドウで続けるか、コースを開き直してください。',
        },
        ended: {
          title: 'このウィンドウは終了しました',
          text: 'ここではこれ以上保存できません。元の場所からコースを開き直してください。',
        },
      },
    },
    notices: {
      ended: {
        title: 'このウィンドウは終了しました',
        text: 'このウィンドウのコースはすでに終了しています。コースを開いた場所に戻り、もう一度開いてください。',
      },
      expired: {
        title: 'このリンクは期限切れです',
        text: 'コースへのリンクは短い時間だけ有効です。コースを開いた場所に戻り、もう一度開いてください。',
      },
      used: {
        title: 'このリンクは使用済みです',
        text: 'コースへのリンクで開けるウィンドウは 1 つだけです。コースを開いた場所に戻り、もう一度開いてください。',
      },
      invalid: {
        title: 'このリンクではコースを開けません',
        text: 'コースを開いた場所に戻り、もう一度開いてください。',
      },
    },
  },
};
