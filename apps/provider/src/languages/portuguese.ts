import type { Catalogue } from './texts.ts';

/** In the form of Brazil. */
export const portuguese: Catalogue = {
  direction: 'ltr',
  texts: {
    player: {
      course: 'Curso',
      contents: 'Conteúdo',
      previous: 'Anterior',
      continue: 'Continuar',
      endCourse: 'Encerrar curso',
      exit: 'Sair',
      goBack: 'Voltar',
      needsJavaScript: 'Este curso precisa de JavaScript.',
      review: 'Revisão: nada é registrado',
      saved: 'Salvo',
      notSaved: 'Ainda não foi salvo. Tentando de novo…',
      choosePart: 'Escolha uma parte do curso.',
      partEnded: 'Esta parte terminou. Escolha outra ou saia do curso com “Sair”.',
      unreachable:
        'Não foi possível acessar o curso. Verifique sua conexão e carregue esta página novamente.',
      opener: {
        open: 'Abrir o curso',
        opens: 'O curso abre em uma nova janela.',
        isOpen: 'O curso está aberto em outra janela.',
        closed: 'A janela do curso foi fechada.',
        blocked: 'O navegador não abriu uma janela para o curso. Abra-o aqui.',
      },
      confirmExit: {
        question: 'Esta parte terminou. Você quer sair do curso?',
        leave: 'Sair do curso',
        stay: 'Ficar',
      },
      offline: {
        cause: 'Não foi possível acessar o curso.',
        savedUntil: 'Última vez que seus resultados foram salvos: {time}.',
        unsaved: {
          one: '{count} resultado ainda não foi salvo.',
          other: '{count} resultados ainda não foram salvos.',
        },
        allSaved: 'Todos os seus resultados foram salvos.',
        goesOn:
          'As tentativas continuam, e o curso prosseguirá automaticamente. Mantenha esta janela aberta.',
      },
      statuses: {
        notStarted: 'Não iniciado',
        inProgress: 'Em andamento',
        completed: 'Concluído',
        passed: 'Aprovado',
        failed: 'Reprovado',
      },
      refusals: {
        unavailable: 'Esta parte não pertence a esta tentativa.',
        notChoosable: 'Chega-se a esta parte com “Continuar” e “Anterior”.',
        hidden: 'Esta parte não pode ser escolhida agora.',
        disabled: 'Esta parte não está disponível agora.',
        noAttemptsLeft: 'Todas as tentativas desta parte foram usadas.',
        noFlow: 'Escolha uma parte no conteúdo.',
        forwardOnly: 'Neste curso só é possível avançar.',
        stopped: 'Uma parte anterior precisa ser concluída primeiro.',
        choiceExit: 'A parte aberta precisa ser concluída primeiro.',
        preventActivation: 'Chega-se a esta parte pelas partes anteriores.',
        constrained: 'Só é possível escolher as partes vizinhas à que está aberta.',
        nothingThere: 'Não há mais partes nesta direção.',
        prerequisites: 'Outras partes precisam ser concluídas primeiro.',
        notNow: 'Isso não é possível agora.',
      },
      endings: {
        completed: {
          title: 'Você concluiu o curso',
          text: 'Seu resultado foi salvo. Você pode fechar esta janela.',
        },
        failed: {
          title: 'Você não foi aprovado no curso',
          text: 'Seu resultado foi salvo. Você pode fechar esta janela.',
        },
        suspended: {
          title: 'Você saiu do curso',
          text: 'Seu progresso foi salvo. Abra o curso novamente para continuar. Você pode fechar esta janela.',
        },
        review: {
          title: 'Você saiu do curso',
          text: 'Isto foi uma revisão: nada foi registrado. Você pode fechar esta janela.',
        },
        left: {
          title: 'Você saiu do curso',
          text: 'Seus resultados foram salvos. Você pode fechar esta janela.',
        },
      },
      stops: {
        openElsewhere: {
          title: 'Esta janela não está mais ativa',
          text: 'O curso foi aberto novamente, ou encerrado, em outra janela. Continue por lá ou abra-o novamente.',
        },
        ended: {
          title: 'Esta janela não está mais ativa',
          text: 'Nada mais pode ser salvo aqui. Abra o curso novamente onde você o encontrou.',
        },
      },
    },
    notices: {
      ended: {
        title: 'Esta janela não está mais ativa',
        text: 'Você já saiu do curso nesta janela. Volte ao lugar onde abriu o curso e abra-o novamente.',
      },
      expired: {
        title: 'Este link expirou',
        text: 'O link de um curso funciona apenas por pouco tempo. Volte ao lugar onde abriu o curso e abra-o novamente.',
      },
      used: {
        title: 'Este link já foi usado',
        text: 'O link de um curso abre uma única janela. Volte ao lugar onde abriu o curso e abra-o novamente.',
      },
      invalid: {
        title: 'Este link não abre nenhum curso',
        text: 'Volte ao lugar onde abriu o curso e abra-o novamente.',
      },
    },
  },
};
