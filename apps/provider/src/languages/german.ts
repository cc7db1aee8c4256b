import type { Catalogue } from './texts.ts';

export const german: Catalogue = {
  direction: 'ltr',
  texts: {
    player: {
      course: 'Kurs',
      contents: 'Inhalt',
      previous: 'Zurück',
      continue: 'Weiter',
      endCourse: 'Kurs beenden',
      exit: 'Verlassen',
      goBack: 'Zurück',
      needsJavaScript: 'Dieser Kurs benötigt JavaScript.',
      review: 'Ansicht: Es wird nichts gespeichert',
      saved: 'Gespeichert',
      notSaved: 'Noch nicht gespeichert. Neuer Versuch …',
      choosePart: 'Wählen Sie einen Teil des Kurses.',
      partEnded:
        'Dieser Teil ist beendet. Wählen Sie einen anderen oder verlassen Sie den Kurs mit „Verlassen“.',
      unreachable:
        'Der Kurs ist nicht erreichbar. Prüfen Sie Ihre Verbindung und laden Sie diese Seite dann neu.',
      opener: {
        open: 'Kurs öffnen',
        opens: 'Der Kurs öffnet sich in einem neuen Fenster.',
        isOpen: 'Der Kurs ist in einem anderen Fenster geöffnet.',
        closed: 'Das Fenster des Kurses wurde geschlossen.',
        blocked: 'Der Browser hat kein Fenster für den Kurs geöffnet. Öffnen Sie ihn hier.',
      },
      confirmExit: {
        question: 'Dieser Teil ist beendet. Möchten Sie den Kurs verlassen?',
        leave: 'Kurs verlassen',
        stay: 'Bleiben',
      },
      offline: {
        cause: 'Der Kurs ist nicht erreichbar.',
        savedUntil: 'Ihre Ergebnisse bis {time} Uhr sind gespeichert.',
        unsaved: {
          one: '{count} Ergebnis ist noch nicht gespeichert.',
          other: '{count} Ergebnisse sind noch nicht gespeichert.',
        },
        allSaved: 'Alle Ihre Ergebnisse sind gespeichert.',
        goesOn:
          'Die Verbindung wird weiter versucht; danach geht es von selbst weiter. Lassen Sie dieses Fenster offen.',
      },
      statuses: {
        notStarted: 'Nicht begonnen',
        inProgress: 'In Bearbeitung',
        completed: 'Abgeschlossen',
        passed: 'Bestanden',
        failed: 'Nicht bestanden',
      },
      refusals: {
        unavailable: 'Dieser Teil gehört nicht zu diesem Versuch.',
        notChoosable: 'Dieser Teil ist nur über „Weiter“ und „Zurück“ erreichbar.',
        hidden: 'Dieser Teil kann jetzt nicht gewählt werden.',
        disabled: 'Dieser Teil ist jetzt nicht verfügbar.',
        noAttemptsLeft: 'Für diesen Teil sind alle Versuche aufgebraucht.',
        noFlow: 'Wählen Sie einen Teil aus dem Inhalt.',
        forwardOnly: 'Dieser Kurs geht nur vorwärts.',
        stopped: 'Zuerst muss ein früherer Teil beendet werden.',
        choiceExit: 'Zuerst muss der geöffnete Teil beendet werden.',
        preventActivation: 'Dieser Teil ist nur über die Teile davor erreichbar.',
        constrained: 'Nur die Teile neben dem geöffneten können gewählt werden.',
        nothingThere: 'Hier gibt es keinen weiteren Teil.',
        prerequisites: 'Zuerst müssen andere Teile abgeschlossen werden.',
        notNow: 'Das ist jetzt nicht möglich.',
      },
      endings: {
        completed: {
          title: 'Sie haben den Kurs abgeschlossen',
          text: 'Ihr Ergebnis ist gespeichert. Sie können dieses Fenster schließen.',
        },
        failed: {
          title: 'Sie haben den Kurs nicht bestanden',
          text: 'Ihr Ergebnis ist gespeichert. Sie können dieses Fenster schließen.',
        },
        suspended: {
          title: 'Sie haben den Kurs verlassen',
          text: 'Ihr Fortschritt ist gespeichert. Öffnen Sie den Kurs erneut, um fortzufahren. Sie können dieses Fenster schließen.',
        },
        review: {
          title: 'Sie haben den Kurs verlassen',
          text: 'Dies war nur eine Ansicht: Es wurde nichts gespeichert. Sie können dieses Fenster schließen.',
        },
        left: {
          title: 'Sie haben den Kurs verlassen',
          text: 'Ihre Ergebnisse sind gespeichert. Sie können dieses Fenster schließen.',
        },
      },
      stops: {
        openElsewhere: {
          title: 'Dieses Fenster ist beendet',
          text: 'Der Kurs wurde in einem anderen Fenster erneut geöffnet oder verlassen. Machen Sie dort weiter oder öffnen Sie ihn noch einmal.',
        },
        ended: {
          title: 'Dieses Fenster ist beendet',
          text: 'Hier kann nichts mehr gespeichert werden. Öffnen Sie den Kurs erneut dort, wo Sie ihn gefunden haben.',
        },
      },
    },
    notices: {
      ended: {
        title: 'Dieses Fenster ist beendet',
        text: 'Der Kurs wurde hier verlassen. Gehen Sie dorthin zurück, wo Sie den Kurs geöffnet haben, und öffnen Sie ihn dort erneut.',
      },
      expired: {
        title: 'Dieser Link ist abgelaufen',
        text: 'Ein Link zu einem Kurs gilt nur kurze Zeit. Gehen Sie dorthin zurück, wo Sie den Kurs geöffnet haben, und öffnen Sie ihn dort erneut.',
      },
      used: {
        title: 'Dieser Link wurde schon verwendet',
        text: 'Ein Link zu einem Kurs öffnet nur ein Fenster. Gehen Sie dorthin zurück, wo Sie den Kurs geöffnet haben, und öffnen Sie ihn dort erneut.',
      },
      invalid: {
        title: 'Dieser Link öffnet keinen Kurs',
        text: 'Gehen Sie dorthin zurück, wo Sie den Kurs geöffnet haben, und öffnen Sie ihn dort erneut.',
      },
    },
  },
};
